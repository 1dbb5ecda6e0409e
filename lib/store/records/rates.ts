import { createHash } from 'node:crypto'
import type { RateLimit } from '../../core/rate-limits.ts'
import { retry } from '../../core/retry.ts'
import type { Condition, Expressions, Update } from '../engine/expressions.ts'
import type { Key } from '../engine/keys.ts'
import type { Table } from '../engine/table.ts'
import type { Item, Step } from '../engine/transaction.ts'
import { ConditionFailed, wasCommitted } from '../engine/transaction-errors.ts'

/*
 * A count over a sliding window, exact to a sixth of it and never too low: the window is cut into slices, and the
 * slice that has begun counts besides six whole ones. The slices of an item are places of a ring, so that it never
 * grows; each place names the slice it counts, `t3: 171, c3: 5`.
 */
const slicesPerWindow = 6
const places = slicesPerWindow + 1

const sliceOf = ({ windowMs }: RateLimit, nowMs: number): number =>
  Math.floor(nowMs / (windowMs / slicesPerWindow))
const namesOf = (slice: number) => ({ count: `c${slice % places}`, slice: `t${slice % places}` })

/** The subject is hashed: it may be of any length, and it is nobody's business. */
export const rateKey = ({ name }: RateLimit, subject: string): Key => ({
  pk: `rate#${name}#${createHash('sha256').update(subject).digest('base64url')}`,
  sk: 'rate',
})

/** How many events an item counts in the window that ends now. */
export const countIn = (item: Item | undefined, limit: RateLimit, nowMs: number): number => {
  const current = sliceOf(limit, nowMs)
  return Array.from({ length: places }, (_, back) => countOfSlice(item, current - back)).reduce(
    (a, b) => a + b,
    0,
  )
}

const countOfSlice = (item: Item | undefined, slice: number): number => {
  const names = namesOf(slice)
  return item?.[names.slice] === slice ? Number(item[names.count]) : 0
}

/** Whole seconds until the oldest counted slice leaves the window. */
export const secondsUntilRoom = (item: Item | undefined, limit: RateLimit, nowMs: number): number => {
  const current = sliceOf(limit, nowMs)
  const back = Array.from({ length: places }, (_, at) => places - 1 - at)
  const oldest = back.find((at) => countOfSlice(item, current - at) > 0) ?? 0
  const endsAt = (current - oldest + places) * (limit.windowMs / slicesPerWindow)
  return Math.max(1, Math.ceil((endsAt - nowMs) / 1000))
}

/** Counts one event and returns the item after that. `countIn` gives the final answer for it, also under concurrency. */
export const countEvent = (table: Table, limit: RateLimit, subject: string, nowMs: number): Promise<Item> => {
  const key = rateKey(limit, subject)
  const slice = sliceOf(limit, nowMs)
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

/** Takes one event back that was counted at that time; nothing happens when its slice is over. */
export const uncountEvent = async (
  table: Table,
  limit: RateLimit,
  subject: string,
  countedAtMs: number,
): Promise<void> => {
  const slice = sliceOf(limit, countedAtMs)
  const names = namesOf(slice)
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
    const names = namesOf(slice)
    return {
      set: [`${x.path(names.count)} = ${x.path(names.count)} + ${x.value(1)}`, expiry(x, limit, nowMs)],
      condition: `${x.path(names.slice)} = ${x.value(slice)}`,
    }
  }

const beginSlice =
  (limit: RateLimit, slice: number, nowMs: number): Update =>
  (x) => {
    const names = namesOf(slice)
    return {
      set: [
        `${x.path(names.count)} = ${x.value(1)}`,
        `${x.path(names.slice)} = ${x.value(slice)}`,
        expiry(x, limit, nowMs),
      ],
      condition: `attribute_not_exists(${x.path(names.slice)}) OR ${x.path(names.slice)} <> ${x.value(slice)}`,
    }
  }

const expiry = (x: Expressions, { windowMs }: RateLimit, nowMs: number): string =>
  `${x.path('expires_at')} = ${x.value(Math.ceil((nowMs + 2 * windowMs) / 1000))}`

/**
 * Holds a transaction to the limit: it goes through only while fewer than `max` events are counted. Earlier slices
 * are over and can't change any more, so the condition on the present one settles it; `seen` is the item as read.
 */
export const whileBelow = (
  limit: RateLimit,
  subject: string,
  seen: Item | undefined,
  nowMs: number,
): Step => {
  const slice = sliceOf(limit, nowMs)
  const names = namesOf(slice)
  const room = limit.max - (countIn(seen, limit, nowMs) - countOfSlice(seen, slice))
  const condition: Condition = (x) =>
    [
      `attribute_not_exists(${x.path(names.slice)})`,
      `${x.path(names.slice)} <> ${x.value(slice)}`,
      `${x.path(names.count)} < ${x.value(room)}`,
    ].join(' OR ')
  return { check: rateKey(limit, subject), condition }
}
