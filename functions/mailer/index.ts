import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda'
import { createServices } from '../../lib/services.ts'
import { processEntry } from './process-entry.ts'

const services = createServices(process.env)

/**
 * Sends the emails of new outbox entries, which the stream of the table delivers. The first entry that failed for
 * certain is reported to Lambda, which delivers it and all later entries again.
 */
export const handler = async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
  for (const { dynamodb } of Records) {
    const { pk, sk } = dynamodb?.Keys ?? {}
    if (pk?.S === undefined || sk?.S === undefined) continue
    if (!(await processEntry(services, { pk: pk.S, sk: sk.S })))
      return { batchItemFailures: [{ itemIdentifier: dynamodb?.SequenceNumber ?? '' }] }
  }
  return { batchItemFailures: [] }
}
