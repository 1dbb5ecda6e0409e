import { consecutiveFailuresMax } from '../limits/limits.ts'
import type { RateLimitSubject } from '../limits/rate-limit-subjects.ts'
import { type RateLimit, type RateLimits, rateLimitNames } from '../limits/rate-limits.ts'
import { isPresent } from '../table/expressions.ts'
import type { Key } from '../table/keys/keys.ts'
import { timedListing, timedListPartitions } from '../table/keys/listing-keys.ts'
import { partitions } from '../table/keys/partitions.ts'
import {
  type EntrySource,
  type Page,
  type PageRequest,
  type RecordReader,
  readAll,
  readFilteredPage,
} from '../table/listing.ts'
import { mergeSources } from '../table/merge-lists.ts'
import type { Table } from '../table/table.ts'
import { type Item, type OrElse, type Step, wasCommitted } from '../table/transaction.ts'
import { isWithin } from '../util/time.ts'
import { getEventCount, getStreak, getWaitEnd, rateKey } from './rates.ts'
import { getPairWaitMs, pairKeyOf, readPair, signInDelays } from './sign-in-delays.ts'

/*
 * Administrators see which subjects reached a limit. The count itself gets an entry in the listing index, so nothing can
 * remain of a count that was forgotten. It gets one write in each window, however many uses are refused. The waits after
 * wrong passwords are in the same list.
 */

/** The names of what the list contains. */
export const limitedNames = [...rateLimitNames, signInDelays] as const
export type LimitedName = (typeof limitedNames)[number]

/** A subject that reached a limit. */
export interface RateLimited extends RateLimitSubject {
  readonly name: LimitedName
  readonly hash: string
  /** When the limit was last noted to be reached, in epoch milliseconds. */
  readonly since: number
  /** Null if it ends only with a success or a reset: see `getStreak`. */
  readonly until: number | null
}

/** Whether a count that reached its limit has to be noted. */
export const isUnnoted = (item: Item, { windowMs }: RateLimit, nowMs: number): boolean =>
  !isWithin(Number(item['limitedSince']), nowMs, windowMs)

/** Notes that a count reached its limit. Does nothing if it was forgotten in the meantime. */
export const noteRateLimited = async (
  table: Table,
  limit: RateLimit,
  subject: string,
  { shown, nowMs }: { readonly shown: RateLimitSubject; readonly nowMs: number },
): Promise<void> => {
  const key = rateKey(limit, subject)
  const attributes = { ...timedListing('rate-limited', key.pk, nowMs), limitedSince: nowMs, shown }
  await wasCommitted(
    table.update(key, (x) => ({
      set: Object.entries(attributes).map(([name, value]) => `${x.path(name)} = ${x.value(value)}`),
      condition: isPresent(x),
    })),
  )
}

/** The key of a count by the name of its limit and the hash of its subject. */
const countKey = (name: LimitedName, hash: string): Key =>
  name === signInDelays ? pairKeyOf(hash) : { pk: `${partitions.rate}${name}#${hash}`, sk: 'rate' }

/** Finds a count that was noted, even if it is below its limit again. */
export const findRateLimited = async (
  table: Table,
  limits: RateLimits,
  { name, hash, nowMs }: { readonly name: LimitedName; readonly hash: string; readonly nowMs: number },
): Promise<RateLimited | undefined> => readCount(await table.get(countKey(name, hash)), limits, nowMs)?.row

export interface RateLimitedFilter {
  readonly name?: LimitedName | undefined
  readonly user?: number | undefined
  readonly nowMs: number
}

/** Reads a page of the counts that are at their limit, in order of time. A page ends after 1,000 others. */
export const readRateLimitedPage = (
  table: Table,
  limits: RateLimits,
  { name, user, nowMs }: RateLimitedFilter,
  request: PageRequest,
): Promise<Page<RateLimited>> => {
  const lists = timedListPartitions('rate-limited').map((pk) => ({ pk, index: 'listing' as const }))
  const merged = mergeSources(table, lists)
  const source: EntrySource = (after, limit) => merged({ after, limit, isDescending: request.isDescending })
  const read: RecordReader<NotedCount> = async (entries) => {
    const items = await readAll(
      table,
      entries.map(({ key }) => key),
    )
    return items.map((item) => readCount(item, limits, nowMs))
  }
  const keep = ({ row, isLimited }: NotedCount) =>
    isLimited && (name === undefined || row.name === name) && (user === undefined || row.user === user)
  return readFilteredPage(source, request, read, keep).then(({ rows, next }) => ({
    rows: rows.map(({ indexKey, row }) => ({ indexKey, row: row.row })),
    next,
  }))
}

interface NotedCount {
  readonly row: RateLimited
  readonly isLimited: boolean
}

const readCount = (item: Item | undefined, limits: RateLimits, nowMs: number): NotedCount | undefined => {
  if (item?.pk.startsWith(partitions.loginPair)) return readDelay(item, nowMs)
  const [, given, hash = ''] = item?.pk.split('#') ?? []
  const name = rateLimitNames.find((known) => known === given)
  if (!item || !name || typeof item['limitedSince'] !== 'number') return undefined
  const limit = limits[name]
  const isInStreak = getStreak(item) >= consecutiveFailuresMax
  return {
    row: {
      ...(item['shown'] as RateLimitSubject | undefined),
      name,
      hash,
      since: item['limitedSince'],
      until: isInStreak ? null : getWaitEnd(item, limit, nowMs),
    },
    isLimited: isInStreak || getEventCount(item, limit, nowMs) >= limit.max,
  }
}

const readDelay = (item: Item, nowMs: number): NotedCount | undefined => {
  if (typeof item['limitedSince'] !== 'number') return undefined
  const waitMs = getPairWaitMs(readPair(item, nowMs), nowMs)
  return {
    row: {
      ...(item['shown'] as RateLimitSubject | undefined),
      name: signInDelays,
      hash: item.pk.slice(partitions.loginPair.length),
      since: item['limitedSince'],
      until: nowMs + waitMs,
    },
    isLimited: waitMs > 0,
  }
}

/** Builds the step that forgets a noted count. */
export const buildLiftRateLimitStep = ({ name, hash }: RateLimited, orElse: OrElse): Step => ({
  delete: countKey(name, hash),
  condition: (x) => `attribute_exists(${x.path('limitedSince')})`,
  orElse,
})
