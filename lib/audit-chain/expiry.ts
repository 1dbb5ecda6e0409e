import { auditChainSpareMs, auditRetentionMaxDays, auditRetentionMinDays } from '../limits/limits.ts'
import { day } from '../util/time.ts'

const secondsPerDay = day / 1000

/** Whether DynamoDB may have removed an item. `expiresAt` is in epoch seconds. A time that is not a number never comes. */
export const hasExpired = (expiresAt: number, nowMs: number): boolean => expiresAt * 1000 <= nowMs

/** When an event expires, by its entry in a block. Epoch seconds, `NaN` if it never does. */
export const expiryOf = (entry: string): number => Number(entry.split(' ').at(-1))

/** The earliest time at which an honest block, or a checkpoint, of a time in epoch milliseconds can expire. Epoch seconds. */
export const earliestExpiry = (atMs: number): number =>
  Math.floor(atMs / 1000) + auditRetentionMinDays * secondsPerDay

/**
 * When a block expires that is added at a time in epoch milliseconds: after all its events, and not before an earlier block, which
 * expires at `previous`. No event can keep a block for longer than the longest retention. Epoch seconds.
 */
export const getBlockExpiry = (entries: readonly string[], atMs: number, previous: number): number => {
  const spare = auditChainSpareMs / 1000
  const latest = Math.floor(atMs / 1000) + auditRetentionMaxDays * secondsPerDay
  const times = entries.map(expiryOf).filter((time) => time > 0 && time <= latest)
  return Math.max(previous, earliestExpiry(atMs) + spare, ...times.map((time) => Math.ceil(time) + spare))
}
