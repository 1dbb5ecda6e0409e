import { setTimeout as sleep } from 'node:timers/promises'
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda'
import { findWaitingEntries } from '../lib/accounts/outbox/outbox.records.ts'
import type { Key } from '../lib/kernel/table/keys/keys.ts'
import type { Table } from '../lib/kernel/table/table.ts'
import { mapInBatches } from '../lib/kernel/util/work.ts'

interface PokedJobOptions {
  readonly run: () => Promise<unknown>
  /** How long a call waits for further ones. */
  readonly pauseMs?: number
  readonly onFailure?: (reason: string) => void
}

interface PokedJob {
  /** Runs the job soon. Calls while it runs lead to one more run. */
  readonly poke: () => void
  /** Resolves after the current run has ended. */
  readonly close: () => Promise<void>
}

/** Runs a job when there may be something to do, like the events that start functions on AWS. */
export const startPokedJob = ({ run, pauseMs = 10, onFailure }: PokedJobOptions): PokedJob => {
  let working: Promise<void> | undefined
  let isWanted = false

  const work = async (): Promise<void> => {
    while (isWanted) {
      isWanted = false
      await sleep(pauseMs)
      await run()
    }
  }

  const start = (): void => {
    working ??= work()
      .catch((error: unknown) => onFailure?.(`A job failed: ${String(error)}`))
      .finally(() => {
        working = undefined
        // A call may come after the last run, and before this.
        if (isWanted) start()
      })
  }

  return {
    poke: () => {
      isWanted = true
      start()
    },
    close: async () => {
      isWanted = false
      await working
    },
  }
}

/** The longest pause between two deliveries of an entry. */
const longestPauseMs = 5 * 60_000

/** The number of failures after which the operator is informed. */
const failuresToReport = 5

interface Failing {
  readonly failures: number
  /** By the clock of `performance`, which no one sets back or ahead. */
  readonly nextAt: number
}

/** On AWS, the stream delivers the entries of each partition on their own, too. */
const deliveriesAtOnce = 4

interface OutboxOptions {
  readonly table: Table
  /** Handles stream events of the table, and returns the entries that must be delivered again. */
  readonly deliver: (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>
  /** The pause after the first failure of an entry. It doubles with each further one. */
  readonly retryAfterMs?: number
  readonly onFailure?: (reason: string) => void
}

export interface Outbox {
  /** Checks for waiting entries. */
  readonly poke: () => void
  /** Resolves after the current delivery has ended. */
  readonly close: () => Promise<void>
}

/**
 * Delivers waiting mail jobs to the mailer, like the table's stream on AWS. The local engines have no usable streams. An
 * entry that fails is delivered again until it expires, with growing pauses.
 */
export const startOutbox = (options: OutboxOptions): Outbox => {
  const { table, deliver, retryAfterMs = 2000, onFailure } = options
  const failing = new Map<string, Failing>()
  let retry: NodeJS.Timeout | undefined

  const deliverEntry = async (key: Key): Promise<void> => {
    if (await isDelivered(key)) {
      failing.delete(key.sk)
      return
    }
    const failures = (failing.get(key.sk)?.failures ?? 0) + 1
    const pauseMs = Math.min(longestPauseMs, retryAfterMs * 2 ** (failures - 1))
    failing.set(key.sk, { failures, nextAt: performance.now() + pauseMs })
    if (failures === failuresToReport)
      onFailure?.(
        `The email ${key.sk} could not be sent after ${failures} attempts. It is tried again until it is a day old.`,
      )
  }

  const isDue = ({ sk }: Key): boolean => (failing.get(sk)?.nextAt ?? 0) <= performance.now()

  const scheduleRetry = (): void => {
    clearTimeout(retry)
    if (failing.size === 0) return
    const next = Math.min(...Array.from(failing.values(), ({ nextAt }) => nextAt))
    retry = setTimeout(job.poke, Math.max(1, Math.ceil(next - performance.now()))).unref()
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
    const keys = await findWaitingEntries(table)
    const known = new Set(keys.map(({ sk }) => sk))
    for (const sk of failing.keys()) if (!known.has(sk)) failing.delete(sk)
    const due = keys.filter(isDue)
    await mapInBatches(due, deliveriesAtOnce, deliverEntry)
    scheduleRetry()
    if (due.length === 0) return
    // The mailer puts a job back under a new key, and replaces one for all administrators with one for each.
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
