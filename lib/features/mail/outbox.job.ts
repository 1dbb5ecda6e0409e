import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda'
import type { Services } from '../../services.ts'
import { processEntry } from './process-entry.ts'

/** What an invocation keeps free of waiting: enough to send an email and to record the result. */
const workingMs = 20_000

/**
 * Sends the emails of new outbox entries, which the stream of the table delivers. The first entry that failed for
 * certain is reported to Lambda, which delivers it and all later entries again.
 */
export const createOutboxJob =
  (services: Services) =>
  async (
    { Records }: DynamoDBStreamEvent,
    context?: Pick<Context, 'getRemainingTimeInMillis'>,
  ): Promise<DynamoDBBatchResponse> => {
    const deadline = Date.now() + (context?.getRemainingTimeInMillis() ?? 0) - workingMs
    for (const { dynamodb } of Records) {
      const { pk, sk } = dynamodb?.Keys ?? {}
      if (pk?.S === undefined || sk?.S === undefined) continue
      if (!(await processEntry(services, { pk: pk.S, sk: sk.S }, deadline)))
        return { batchItemFailures: [{ itemIdentifier: dynamodb?.SequenceNumber ?? '' }] }
    }
    return { batchItemFailures: [] }
  }
