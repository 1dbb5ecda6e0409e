import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda'
import type { Table } from '../../lib/store/engine/table.ts'
import { findWaitingEntries } from '../../lib/store/records/outbox.ts'

export interface OutboxOptions {
  readonly table: Table
  /** Handed what the table's stream would bring; answers which entries are to be brought again. */
  readonly deliver: (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>
  readonly retryAfterMs?: number
  /** How often an entry is brought, before it is left to lie. */
  readonly maxTries?: number
  readonly onFailure?: (reason: string) => void
}

export interface Outbox {
  /** Says that there may be something to send. */
  readonly nudge: () => void
  /** Resolves once what was being sent is sent. */
  readonly close: () => Promise<void>
}

/**
 * Brings what waits in the outbox to the mailer, as the table's stream does on AWS: the engines here have no
 * streams that could be listened to.
 */
export const startOutbox = (options: OutboxOptions): Outbox => {
  const { table, deliver, retryAfterMs = 2000, maxTries = 5, onFailure } = options
  const tries = new Map<string, number>()
  let working: Promise<void> | undefined
  let isWanted = false
  let retry: NodeJS.Timeout | undefined

  const bring = async (place: string): Promise<void> => {
    const count = (tries.get(place) ?? 0) + 1
    tries.set(place, count)
    const { batchItemFailures } = await deliver(recordOf(place))
    if (batchItemFailures.length === 0) tries.delete(place)
    else if (count === maxTries) onFailure?.(`A mail could not be sent; it was tried ${maxTries} times.`)
    else retry ??= setTimeout(nudge, retryAfterMs).unref()
  }

  const work = async (): Promise<void> => {
    while (isWanted) {
      isWanted = false
      retry = undefined
      for (const place of await findWaitingEntries(table))
        if ((tries.get(place) ?? 0) < maxTries) await bring(place)
    }
  }

  const nudge = (): void => {
    isWanted = true
    working ??= work()
      .catch((error: unknown) => onFailure?.(`Mail could not be sent: ${String(error)}`))
      .finally(() => {
        working = undefined
      })
  }

  return {
    nudge,
    close: async () => {
      clearTimeout(retry)
      isWanted = false
      await working
    },
  }
}

const recordOf = (place: string): DynamoDBStreamEvent => ({
  Records: [{ eventName: 'INSERT', dynamodb: { SequenceNumber: '1', Keys: { sk: { S: place } } } }],
})
