import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda'
import type { Table } from '../lib/store/engine/table.ts'
import type { Key } from '../lib/store/keys/keys.ts'
import { findWaitingEntries } from '../lib/store/mail/outbox.ts'
import { mapInBatches } from '../lib/util/map-in-batches.ts'
import { startPokedJob } from './poked-job.ts'

/** On AWS, the stream delivers the entries of each partition on their own, too. */
const deliveriesAtOnce = 4

export interface OutboxOptions {
  readonly table: Table
  /** Handles stream events of the table, and returns the entries that must be delivered again. */
  readonly deliver: (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>
  readonly retryAfterMs?: number
  /** How often an entry is delivered before it is abandoned. */
  readonly maxTries?: number
  readonly onFailure?: (reason: string) => void
}

export interface Outbox {
  /** Checks for waiting entries. */
  readonly poke: () => void
  /** Resolves after the current delivery has ended. */
  readonly close: () => Promise<void>
}

/**
 * Delivers waiting mail jobs to the mailer, like the table's stream on AWS. The local engines have no usable streams.
 */
export const startOutbox = (options: OutboxOptions): Outbox => {
  const { table, deliver, retryAfterMs = 2000, maxTries = 5, onFailure } = options
  const tries = new Map<string, number>()
  let retry: NodeJS.Timeout | undefined

  const deliverEntry = async (key: Key): Promise<void> => {
    const count = (tries.get(key.sk) ?? 0) + 1
    tries.set(key.sk, count)
    if (await isDelivered(key)) tries.delete(key.sk)
    else if (count === maxTries) onFailure?.(`An email could not be sent after ${maxTries} attempts.`)
    else retry ??= setTimeout(job.poke, retryAfterMs).unref()
  }

  /** A failure must not keep other entries from being delivered. */
  const isDelivered = async (key: Key): Promise<boolean> => {
    try {
      return (await deliver(createStreamEvent(key))).batchItemFailures.length === 0
    } catch (error) {
      onFailure?.(`An email could not be sent. ${String(error)}`)
      return false
    }
  }

  const deliverWaiting = async (): Promise<void> => {
    retry = undefined
    const keys = await findWaitingEntries(table)
    const left = keys.filter(({ sk }) => (tries.get(sk) ?? 0) < maxTries)
    await mapInBatches(left, deliveriesAtOnce, deliverEntry)
    if (left.length === 0) return
    // The mailer puts a job back under a new key, and replaces one for all administrators with one for each.
    const known = new Set(keys.map(({ sk }) => sk))
    if ((await findWaitingEntries(table)).some(({ sk }) => !known.has(sk))) job.poke()
  }

  const job = startPokedJob({
    run: deliverWaiting,
    onFailure: (reason) => onFailure?.(`Emails could not be sent. ${reason}`),
  })
  return {
    poke: job.poke,
    close: () => {
      clearTimeout(retry)
      return job.close()
    },
  }
}

const createStreamEvent = ({ pk, sk }: Key): DynamoDBStreamEvent => ({
  Records: [
    { eventName: 'INSERT', dynamodb: { SequenceNumber: '1', Keys: { pk: { S: pk }, sk: { S: sk } } } },
  ],
})
