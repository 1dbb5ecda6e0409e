import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda'
import { createServices } from '../../lib/services.ts'
import { createBusWriter } from './bus-writer.ts'
import { forwardEvents } from './forward-events.ts'

const services = createServices(process.env)
const writeToBus = createBusWriter(process.env['AUDIT_BUS_NAME'])

/**
 * Forwards the audit events whose keys the stream of the table delivers to the bus. The first event that the bus did not
 * confirm is reported to Lambda, which delivers it and all later events again. So each event arrives at least once.
 *
 * @throws an error if the events cannot be read, so that Lambda delivers all of them again
 */
export const handler = async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
  const unconfirmed = await forwardEvents(services, writeToBus, Records)
  return { batchItemFailures: unconfirmed === undefined ? [] : [{ itemIdentifier: unconfirmed }] }
}
