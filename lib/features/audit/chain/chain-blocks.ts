import { createHash } from 'node:crypto'
import {
  auditChainSpareMs,
  auditRetentionMaxDays,
  auditRetentionMinDays,
} from '../../../kernel/limits/limits.ts'
import type { Item } from '../../../kernel/table/transaction.ts'
import { day } from '../../../kernel/util/time.ts'
import type { ChainBlock, ChainHead } from '../chain.records.ts'

/** How a block names an event: its sort key, and `proveEvent`. */
export const describeEvent = (item: Item): string => `${item.sk} ${proveEvent(item)}`

/** The hash of everything that is stored of an event, in base64url, a space, and when the event expires in epoch seconds. */
export const proveEvent = (item: Item): string => `${hashText(serialize(item))} ${Number(item['expires_at'])}`

/** The hash of a block without its own hash. It includes the previous block's hash, and with it all earlier blocks. */
export const hashBlock = (block: Omit<ChainBlock, 'hash'>): string => {
  const { shard, number, chainedAt, previousHash, previousAt, firstSequence, entries } = block
  const { expiresAt, previousExpiresAt } = block
  return hashText(
    serialize([
      ...['block', shard, number, chainedAt, expiresAt],
      ...[previousHash, previousAt, previousExpiresAt, firstSequence, entries],
    ]),
  )
}

export const hashText = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** JSON with the names of each object in order, so that equal values have equal texts. */
const serialize = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

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

/** Clocks of other machines can be ahead. */
export const clockSkewMs = 60_000

/**
 * Whether the service could have written this head by now. Nothing signs a head before the next checkpoint, and a time in
 * the future would stop its chain without an error.
 */
export const isPlausibleHead = (head: ChainHead, nowMs: number): boolean => {
  const latest = new Date(nowMs + clockSkewMs).toISOString()
  return (
    [
      ...[head.number, head.sequence, head.chainedAt, head.expiresAt],
      ...[head.sweptBlock, head.markedBlock],
    ].every((count) => Number.isSafeInteger(count) && count >= 0) &&
    [head.cursor, head.swept, head.marked].every((text) => isTime(text) && text <= latest)
  )
}

/** A time, or a sort key, which begins with one. */
const isTime = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z(#.*)?$/.test(text) && !Number.isNaN(Date.parse(text.slice(0, 24)))
