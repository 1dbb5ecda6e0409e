import { createHash } from 'node:crypto'
import type { RateLimit } from '../limits/rate-limits.ts'
import type { Expressions, Update } from '../table/expressions.ts'
import type { Key } from '../table/keys/keys.ts'
import { partitions } from '../table/keys/partitions.ts'
import type { Table } from '../table/table.ts'
import { ConditionFailed, type Item, type Step, wasCommitted } from '../table/transaction.ts'
import { retry } from '../util/work.ts'

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
  pk: `${partitions.rate}${name}#${createHash('sha256').update(subject).digest('base64url')}`,
  sk: 'rate',
})

/**
 * The number of events that an item counts in the window that ends now. A parallel request of a moment later can have begun
 * the next slice already, in place of the oldest one. Its events count, too.
 */
export const getEventCount = (item: Item | undefined, limit: RateLimit, nowMs: number): number => {
  const next = getSlice(limit, nowMs) + 1
  let count = 0
  for (let slice = next; slice >= next - ringSize; slice--) count += getSliceCount(item, slice)
  return count
}

const getSliceCount = (item: Item | undefined, slice: number): number => {
  const names = getAttributeNames(slice)
  return item?.[names.slice] === slice ? Number(item[names.count]) : 0
}

/** Whole seconds until the oldest counted slice leaves the window. */
export const getRetryAfterSeconds = (item: Item | undefined, limit: RateLimit, nowMs: number): number =>
  Math.max(1, Math.ceil((getWaitEnd(item, limit, nowMs) - nowMs) / 1000))

/** The most that `getRetryAfterSeconds` can be. */
export const getLongestWaitMs = ({ windowMs }: RateLimit): number =>
  (ringSize * windowMs) / slicesPerWindow + 1000

/** When the oldest counted slice leaves the window, in epoch milliseconds. */
export const getWaitEnd = (item: Item | undefined, limit: RateLimit, nowMs: number): number => {
  const current = getSlice(limit, nowMs)
  const back = Array.from({ length: ringSize }, (_, at) => ringSize - 1 - at)
  const oldest = back.find((at) => getSliceCount(item, current - at) > 0) ?? 0
  return (current - oldest + ringSize) * (limit.windowMs / slicesPerWindow)
}

/** The events since the last success, for limits that count them regardless of the window. */
export const getStreak = (item: Item | undefined): number => Number(item?.['streak'] ?? 0)

/**
 * Counts one event and returns the item. `getEventCount` of it is exact, also for concurrent callers. With `streakMs`, the
 * item also counts the events since the last success: see `getStreak`. It is kept until none was counted for that long.
 */
export const countEvent = (
  table: Table,
  limit: RateLimit,
  subject: string,
  nowMs: number,
  streakMs = 0,
): Promise<Item> => {
  const key = rateKey(limit, subject)
  const slice = getSlice(limit, nowMs)
  const changed = streakMs > 0 ? withStreak(1) : (changes: Update) => changes
  const expiresAtMs = nowMs + Math.max(2 * limit.windowMs, streakMs)
  const addOrBegin = async (): Promise<Item> => {
    try {
      return await table.update(key, changed(addToSlice(slice, expiresAtMs)))
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error
      return table.update(key, changed(beginSlice(slice, expiresAtMs)))
    }
  }
  // Another request can begin the slice between the two updates. Then the next attempt adds to it.
  const isSliceBegun = (error: unknown): boolean => error instanceof ConditionFailed
  return retry(addOrBegin, { attempts: 10, baseMs: 5, capMs: 50, isRetryable: isSliceBegun })
}

/** What refunding an event does to the streak: nothing, refund it there as well, or end the streak. */
type StreakChange = 'keep' | 'refund' | 'end'

/** Takes back one event that was counted at a time. Does nothing if its slice is over, except for the streak. */
export const refundEvent = async (
  table: Table,
  limit: RateLimit,
  subject: string,
  countedAtMs: number,
  streak: StreakChange = 'keep',
): Promise<void> => {
  const slice = getSlice(limit, countedAtMs)
  const names = getAttributeNames(slice)
  const key = rateKey(limit, subject)
  const refund: Update = (x) => ({
    set: [`${x.path(names.count)} = ${x.path(names.count)} - ${x.value(1)}`],
    condition: `${x.path(names.slice)} = ${x.value(slice)} AND ${x.path(names.count)} > ${x.value(0)}`,
  })
  const update = streak === 'keep' ? refund : streak === 'end' ? endStreak(refund) : withStreak(-1)(refund)
  const isRefunded = await wasCommitted(table.update(key, update))
  if (isRefunded || streak !== 'end') return
  // The slice of the event is over, but the streak is not.
  const isPending: Update = (x) => ({ condition: `attribute_exists(${x.path('streak')})` })
  await wasCommitted(table.update(key, endStreak(isPending)))
}

const withStreak =
  (change: 1 | -1) =>
  (update: Update): Update =>
  (x) => {
    const changes = update(x)
    const streak = `if_not_exists(${x.path('streak')}, ${x.value(0)})`
    return {
      ...changes,
      set: [...(changes.set ?? []), `${x.path('streak')} = ${streak} + ${x.value(change)}`],
    }
  }

const endStreak =
  (update: Update = () => ({})): Update =>
  (x) => {
    const changes = update(x)
    return { ...changes, remove: [...(changes.remove ?? []), x.path('streak'), x.path('streakNotedAt')] }
  }

const addToSlice =
  (slice: number, expiresAtMs: number): Update =>
  (x) => {
    const names = getAttributeNames(slice)
    return {
      set: [`${x.path(names.count)} = ${x.path(names.count)} + ${x.value(1)}`, buildExpiry(x, expiresAtMs)],
      condition: `${x.path(names.slice)} = ${x.value(slice)}`,
    }
  }

const beginSlice =
  (slice: number, expiresAtMs: number): Update =>
  (x) => {
    const names = getAttributeNames(slice)
    return {
      set: [
        `${x.path(names.count)} = ${x.value(1)}`,
        `${x.path(names.slice)} = ${x.value(slice)}`,
        buildExpiry(x, expiresAtMs),
      ],
      condition: `attribute_not_exists(${x.path(names.slice)}) OR ${x.path(names.slice)} <> ${x.value(slice)}`,
    }
  }

const buildExpiry = (x: Expressions, expiresAtMs: number): string =>
  `${x.path('expires_at')} = ${x.value(Math.ceil(expiresAtMs / 1000))}`

/** What a step needs to count an event with others. */
export interface CountStepOptions {
  /** The count, as it was read. */
  readonly item: Item | undefined
  readonly nowMs: number
  /** Also counts the event in the streak, which must be shorter than `max`. */
  readonly streak?: { readonly max: number; readonly keptMs: number }
}

/**
 * Builds a step that counts an event before it happens. It fails if the limit is reached, or a new slice has begun since
 * `item` was read. Earlier slices are over and do not grow, so a condition on the current slice is enough.
 */
export const buildCountStep = (
  limit: RateLimit,
  subject: string,
  { item, nowMs, streak }: CountStepOptions,
): Step => {
  const slice = getSlice(limit, nowMs)
  const names = getAttributeNames(slice)
  const remaining = limit.max - (getEventCount(item, limit, nowMs) - getSliceCount(item, slice))
  const expiresAtMs = nowMs + Math.max(2 * limit.windowMs, streak?.keptMs ?? 0)
  const count =
    item?.[names.slice] === slice ? addToSlice(slice, expiresAtMs) : beginSlice(slice, expiresAtMs)
  const changes: Update = (x) => {
    const counted = (streak ? withStreak(1)(count) : count)(x)
    const path = streak ? x.path('streak') : ''
    const conditions = [
      counted.condition ?? '',
      `attribute_not_exists(${x.path(names.slice)}) OR ${x.path(names.slice)} <> ${x.value(slice)} OR ${x.path(names.count)} < ${x.value(remaining)}`,
      ...(streak ? [`attribute_not_exists(${path}) OR ${path} < ${x.value(streak.max)}`] : []),
    ]
    return { ...counted, condition: conditions.map((condition) => `(${condition})`).join(' AND ') }
  }
  return { update: rateKey(limit, subject), changes }
}

/** Builds the step that refunds an event that was counted at a time. It never fails. */
export const buildRefundStep = (
  limit: RateLimit,
  subject: string,
  {
    countedAtMs,
    nowMs,
    streak,
  }: { readonly countedAtMs: number; readonly nowMs: number; readonly streak: StreakChange },
): Step => {
  const slice = getSlice(limit, countedAtMs)
  const { count } = getAttributeNames(slice)
  // After a whole window, its place in the ring may belong to another slice.
  const isInRing = getSlice(limit, nowMs) - slice < slicesPerWindow
  const refund: Update = (x) => ({
    set: [
      ...(isInRing
        ? [`${x.path(count)} = if_not_exists(${x.path(count)}, ${x.value(1)}) - ${x.value(1)}`]
        : []),
      // The count can be forgotten in the meantime. The one that the update then creates must expire, too.
      `${x.path('expires_at')} = if_not_exists(${x.path('expires_at')}, ${x.value(Math.ceil((nowMs + 2 * limit.windowMs) / 1000))})`,
    ],
  })
  const takeFromStreak: Update = (x) => {
    const changes = refund(x)
    const path = x.path('streak')
    const taken = `${path} = if_not_exists(${path}, ${x.value(1)}) - ${x.value(1)}`
    return { ...changes, set: [...(changes.set ?? []), taken] }
  }
  const changes = streak === 'end' ? endStreak(refund) : streak === 'refund' ? takeFromStreak : refund
  return { update: rateKey(limit, subject), changes }
}

/**
 * Builds the step that notes that the owner knows of a streak. It fails if they do already, or the streak has ended, so
 * that one of several concurrent requests informs them.
 */
export const buildNoteStreakStep = (limit: RateLimit, subject: string, max: number, nowMs: number): Step => ({
  update: rateKey(limit, subject),
  changes: (x) => ({
    set: [`${x.path('streakNotedAt')} = ${x.value(nowMs)}`],
    condition: `attribute_not_exists(${x.path('streakNotedAt')}) AND ${x.path('streak')} >= ${x.value(max)}`,
  }),
})

/** Whether the owner knows of a streak. */
export const isStreakNoted = (item: Item | undefined): boolean => item?.['streakNotedAt'] !== undefined

/** Builds a step that ends a streak. It never fails. */
export const buildEndStreakStep = (limit: RateLimit, subject: string, nowMs: number): Step => ({
  update: rateKey(limit, subject),
  changes: (x) => ({
    ...endStreak()(x),
    // The item can have expired in the meantime. The one that the update then creates must expire, too.
    set: [
      `${x.path('expires_at')} = if_not_exists(${x.path('expires_at')}, ${x.value(Math.ceil((nowMs + 2 * limit.windowMs) / 1000))})`,
    ],
  }),
})

/** Builds a step that forgets all counted events. */
export const buildForgetEventsStep = (limit: RateLimit, subject: string): Step => ({
  delete: rateKey(limit, subject),
})
