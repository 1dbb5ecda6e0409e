import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonValue } from '../support/client.ts'
import type { StreamRecord } from './stream-records.ts'

/** What an event source mapping declares about the delivery of batches. */
export interface BatchRules {
  readonly batchSize: number
  readonly retryAttempts: number
  readonly bisects: boolean
  readonly reportsFailures: boolean
}

export interface BatchTarget {
  /** Calls the function. Rejects if it fails. */
  readonly invoke: (records: readonly StreamRecord[]) => Promise<JsonValue>
  /** Receives records after the last failed attempt. */
  readonly abandon: (records: readonly StreamRecord[]) => void
  /** The delay of the first retry, which doubles with each further one. */
  readonly retryAfterMs: number
}

const longestDelayMs = 100

/** The index of the first record that the function did not handle; the number of records if it handled all. */
const findFirstFailure = (records: readonly StreamRecord[], result: JsonValue): number => {
  const failures: readonly JsonValue[] = result?.batchItemFailures ?? []
  const positions = failures.map(({ itemIdentifier }) =>
    records.findIndex(({ dynamodb }) => dynamodb.SequenceNumber === itemIdentifier),
  )
  // Lambda treats an unknown identifier like a failure of the whole batch.
  return Math.max(0, Math.min(records.length, ...positions))
}

/**
 * Delivers records like an event source mapping: in order, again after a failure, in halves if the mapping bisects, and
 * to the failure destination after the last retry.
 */
export const deliverBatch = async (
  records: readonly StreamRecord[],
  rules: BatchRules,
  target: BatchTarget,
  attempt = 0,
): Promise<void> => {
  if (records.length === 0) return
  const firstFailure = await target.invoke(records).then(
    (result) => (rules.reportsFailures ? findFirstFailure(records, result) : records.length),
    () => 0,
  )
  const rest = records.slice(firstFailure)
  if (rest.length === 0) return
  if (attempt >= rules.retryAttempts) return target.abandon(rest)
  await sleep(Math.min(longestDelayMs, target.retryAfterMs * 2 ** attempt))
  const middle = rules.bisects && firstFailure === 0 ? Math.ceil(rest.length / 2) : rest.length
  await deliverBatch(rest.slice(0, middle), rules, target, attempt + 1)
  await deliverBatch(rest.slice(middle), rules, target, attempt + 1)
}
