import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda'
import { createServices } from '../../lib/services.ts'
import { isLogoutJobKey } from '../../lib/store/oidc/logout-jobs.ts'
import { createBusWriter } from '../../lib/util/bus-writer.ts'
import { forwardEvents } from './forward-events.ts'
import { startLogoutJobs } from './start-logout-jobs.ts'
import { readStreamKey } from './stream-keys.ts'

const services = createServices(process.env)
const writeToBus = createBusWriter(process.env['AUDIT_BUS_NAME'])
const writeToJobBus = createBusWriter(process.env['JOB_BUS_NAME'])

/** Records without a key are left to `forwardEvents`, which ignores them. */
const noKey = { pk: '', sk: '' }

/**
 * Forwards the audit events whose keys the stream of the table delivers to the bus. The first event that the bus did not
 * confirm is reported to Lambda, which delivers it and all later events again. So each event arrives at least once.
 *
 * It also starts new logout jobs, because DynamoDB allows a stream only two readers.
 *
 * @throws an error if the events cannot be read, so that Lambda delivers all of them again
 */
export const handler = async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
  const keys = Records.flatMap((record) => readStreamKey(record) ?? [])
  await startLogoutJobs(services, writeToJobBus, keys.filter(isLogoutJobKey))
  const events = Records.filter((record) => !isLogoutJobKey(readStreamKey(record) ?? noKey))
  const unconfirmed = await forwardEvents(services, writeToBus, events)
  return { batchItemFailures: unconfirmed === undefined ? [] : [{ itemIdentifier: unconfirmed }] }
}
