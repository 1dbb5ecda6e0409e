import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda'
import { createServices } from '../../lib/services.ts'
import { processEntry } from './process-entry.ts'

const services = createServices(process.env)

/**
 * Carries out what the table's stream brings from the outbox. An entry that failed for certain is told back to
 * Lambda, which brings it again, with those after it.
 */
export const handler = async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
  for (const { dynamodb } of Records) {
    const place = dynamodb?.Keys?.['sk']?.S
    if (place !== undefined && !(await processEntry(services, place)))
      return { batchItemFailures: [{ itemIdentifier: dynamodb?.SequenceNumber ?? '' }] }
  }
  return { batchItemFailures: [] }
}
