import { createHash } from 'node:crypto'
import type { RateLimit } from '../../core/rate-limits.ts'
import { retry } from '../../core/retry.ts'
import type { Condition, Expressions, Update } from '../engine/expressions.ts'
import type { Key } from '../engine/keys.ts'
import type { Table } from '../engine/table.ts'
import type { Item, Step } from '../engine/transaction.ts'
import { ConditionFailed, wasCommitted } from '../engine/transaction-errors.ts'

/*
 * A count over a sliding window. It is exact to a sixth of the window and never too low: the window is divided into
 * slices, and the current slice counts in addition to six complete ones. The slices of an item form a ring, so the item
 * does not grow. Each position in the ring stores the number of its slice and the count: `t3: 171, c3: 5`.
 */
const slicesPerWindow = 6
const ringSize = slicesPerWindow + 1

const getSlice = ({ windowMs }: RateLimit, nowMs: number): number =>
  Math.floor(nowMs / (windowMs / slicesPerWindow))
const getAttributeNames = (slice: number) => ({
  count: `c${slice % ringSize}`,
  slice: `t${slice % ringSize}`,
})

/** The subject is hashed because it can be of any length and is confidential. */
export const rateKey = ({ name }: RateLimit, subject: string): Key => ({
  pk: `rate#${name}#${createHash('sha256').update(subject).digest('base64url')}`,
  sk: 'rate',
})

/** The number of events that an item counts in the window that ends now. */
export const getEventCount = (item: Item | undefined, limit: RateLimit, nowMs: number): number => {
  const current = getSlice(limit, nowMs)
  return Array.from({ length: ringSize }, (_, back) => getSliceCount(item, current - back)).reduce(
    (a, b) => a + b,
    0,
  )
}

const getSliceCount = (item: Item | undefined, slice: number): number => {
  const names = getAttributeNames(slice)
  return item?.[names.slice] === slice ? Number(item[names.count]) : 0
}

/** Whole seconds until the oldest counted slice leaves the window. */
export const getRetryAfterSeconds = (item: Item | undefined, limit: RateLimit, nowMs: number): number => {
  const current = getSlice(limit, nowMs)
  const back = Array.from({ length: ringSize }, (_, at) => ringSize - 1 - at)
  const oldest = back.find((at) => getSliceCount(item, current - at) > 0) ?? 0
  const endsAt = (current - oldest + ringSize) * (limit.windowMs / slicesPerWindow)
  return Math.max(1, Math.ceil((endsAt - nowMs) / 1000))
}

/** Counts one event and returns the item. `getEventCount` of it is exact, also for concurrent callers. */
export const countEvent = (table: Table, limit: RateLimit, subject: string, nowMs: number): Promise<Item> => {
  const key = rateKey(limit, subject)
  const slice = getSlice(limit, nowMs)
  const addOrBegin = async (): Promise<Item> => {
    try {
      return await table.update(key, addToSlice(limit, slice, nowMs))
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error
      return table.update(key, beginSlice(limit, slice, nowMs))
    }
  }
  // Another request can begin the slice between the two updates. Then the next attempt adds to it.
  const isSliceBegun = (error: unknown): boolean => error instanceof ConditionFailed
  return retry(addOrBegin, { attempts: 10, baseMs: 5, capMs: 50, isRetryable: isSliceBegun })
}

/** Takes back one event that was counted at a time. Does nothing if its slice is over. */
export const uncountEvent = async (
  table: Table,
  limit: RateLimit,
  subject: string,
  countedAtMs: number,
): Promise<void> => {
  const slice = getSlice(limit, countedAtMs)
  const names = getAttributeNames(slice)
  await wasCommitted(
    table.update(rateKey(limit, subject), (x) => ({
      set: [`${x.path(names.count)} = ${x.path(names.count)} - ${x.value(1)}`],
      condition: `${x.path(names.slice)} = ${x.value(slice)} AND ${x.path(names.count)} > ${x.value(0)}`,
    })),
  )
}

const addToSlice =
  (limit: RateLimit, slice: number, nowMs: number): Update =>
  (x) => {
    const names = getAttributeNames(slice)
    return {
      set: [`${x.path(names.count)} = ${x.path(names.count)} + ${x.value(1)}`, buildExpiry(x, limit, nowMs)],
      condition: `${x.path(names.slice)} = ${x.value(slice)}`,
    }
  }

const beginSlice =
  (limit: RateLimit, slice: number, nowMs: number): Update =>
  (x) => {
    const names = getAttributeNames(slice)
    return {
      set: [
        `${x.path(names.count)} = ${x.value(1)}`,
        `${x.path(names.slice)} = ${x.value(slice)}`,
        buildExpiry(x, limit, nowMs),
      ],
      condition: `attribute_not_exists(${x.path(names.slice)}) OR ${x.path(names.slice)} <> ${x.value(slice)}`,
    }
  }

const buildExpiry = (x: Expressions, { windowMs }: RateLimit, nowMs: number): string =>
  `${x.path('expires_at')} = ${x.value(Math.ceil((nowMs + 2 * windowMs) / 1000))}`

/**
 * Builds a step that fails unless fewer than `max` events are counted. Earlier slices are over and do not change, so a
 * condition on the current slice is enough. `item` is the count as it was read.
 */
export const buildBelowLimitStep = (
  limit: RateLimit,
  subject: string,
  item: Item | undefined,
  nowMs: number,
): Step => {
  const slice = getSlice(limit, nowMs)
  const names = getAttributeNames(slice)
  const remaining = limit.max - (getEventCount(item, limit, nowMs) - getSliceCount(item, slice))
  const condition: Condition = (x) =>
    [
      `attribute_not_exists(${x.path(names.slice)})`,
      `${x.path(names.slice)} <> ${x.value(slice)}`,
      `${x.path(names.count)} < ${x.value(remaining)}`,
    ].join(' OR ')
  return { check: rateKey(limit, subject), condition }
}
