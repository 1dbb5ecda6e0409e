import { activityKeptDays } from '../../kernel/limits/limits.ts'
import { activeUserShards } from '../../kernel/table/keys/active-user-shards.ts'
import type { AuditShard } from '../../kernel/table/keys/audit-shards.ts'
import {
  activeUsersKey,
  activeUsersPrefix,
  signedInUsersKey,
  signedInUsersPartition,
} from '../../kernel/table/keys/keys.ts'
import { getShard } from '../../kernel/table/keys/partitions.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Item, Step } from '../../kernel/table/transaction.ts'
import { groupBy } from '../../kernel/util/group-by.ts'
import { day } from '../../kernel/util/time.ts'
import { isGuestUser } from './guest-state.records.ts'
import type { UserRecord } from './stored-user.records.ts'

/*
 * The counter of a day counts each user who signed in or used a session on it once, by the number of days since they last did.
 * The active users of the last 7 days are then those who came on one of these days, but not on an earlier one of them. The same
 * holds for the days of a month. So nothing is ever moved from one counter to another, and a count takes one write.
 *
 * A sign-in marks the user in its transaction, and its audit event says so. The job of the audit chains counts it, in the one
 * write that adds the event to its chain. So it takes no write more, and each sign-in counts once: see `activity.records.ts`.
 *
 * The first request of a day with an older session counts the user itself. Its write is in no transaction. Transactions of different
 * users that name the same item refuse each other, so a counter in them would stop the first requests of a day. In return, a request
 * whose function is stopped between the two writes is not counted.
 */

const longestDays = 30
/** Stands for users who did not come in the longest month, or never. */
const noRecentDay = 31

/** The days of the figures. Days are those of UTC. */
export const activeUserDays = [1, 7, longestDays] as const

const dayOf = (ms: number): number => Math.floor(ms / day)

/**
 * The day on which a request of a user counts them, or undefined if they were counted on it before. Guests of access links do
 * not count.
 */
export const findNewActiveDay = (user: UserRecord, nowMs: number): number | undefined => {
  const today = dayOf(nowMs)
  const isCounted = user.activeDay !== undefined && user.activeDay >= today
  return isGuestUser(user) || isCounted ? undefined : today
}

/** Counts a user on a new day. `user` is the record of before. */
export const countActiveUser = async (
  table: Table,
  { id, activeDay }: UserRecord,
  today: number,
): Promise<void> => {
  const gap = nameGap(getGap(activeDay, today))
  await table.tryUpdate(activeUsersKey(getShard(String(id), activeUserShards), today), (x) => ({
    set: [
      `${x.path(gap)} = if_not_exists(${x.path(gap)}, ${x.value(0)}) + ${x.value(1)}`,
      `${x.path('expires_at')} = ${x.value(getExpiry(today, activityKeptDays))}`,
    ],
  }))
}

const getGap = (activeDay: number | undefined, today: number): number =>
  activeDay === undefined ? noRecentDay : Math.min(today - activeDay, noRecentDay)

const getExpiry = (dayNumber: number, keptDays: number): number => ((dayNumber + keptDays) * day) / 1000

/** What the audit event of a sign-in says about a user whom it counts: the day, and the number of days since they last came. */
export interface ActiveMark {
  readonly activeDay: number
  readonly activeAfter: number
}

/** The mark of a user whom a sign-in counts, or undefined if they were counted on the day before. */
export const findActiveMark = (user: UserRecord, nowMs: number): ActiveMark | undefined => {
  const today = findNewActiveDay(user, nowMs)
  return today === undefined ? undefined : { activeDay: today, activeAfter: getGap(user.activeDay, today) }
}

/** The mark in an audit event. The item may have been changed, so it can have any attributes. */
export const readActiveMark = (item: Item): ActiveMark | undefined => {
  const { event, activeDay, activeAfter } = item
  const eventDay = dayOf(Date.parse(item.sk.slice(0, 24)))
  return event === 'login.succeeded' &&
    isWholeNumber(activeDay, eventDay - 1, eventDay + 1) &&
    isWholeNumber(activeAfter, 1, noRecentDay)
    ? { activeDay, activeAfter }
    : undefined
}

const isWholeNumber = (value: unknown, from: number, to: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to

/** Whether a user with this mark came for the first time in its month. */
export const isFirstInMonth = ({ activeDay, activeAfter }: ActiveMark): boolean =>
  activeAfter >= new Date(activeDay * day).getUTCDate()

/** Builds the steps that count the users whom sign-ins marked, for the write of a chain that adds their events. */
export const buildActiveMarkSteps = (shard: AuditShard, marks: readonly ActiveMark[]): readonly Step[] =>
  [...groupBy(marks, ({ activeDay }) => activeDay)].map(([activeDay, ofDay]) => ({
    update: signedInUsersKey(shard, activeDay),
    changes: (x) => ({
      include: [...groupBy(ofDay, ({ activeAfter }) => activeAfter)]
        .map(([gap, { length }]) => `${x.path(nameGap(gap))} ${x.value(length)}`)
        .join(', '),
      set: [`${x.path('expires_at')} = ${x.value(getExpiry(activeDay, longestDays + 1))}`],
    }),
  }))

const nameGap = (days: number): string => `after${days}`

/** The number of users who came in the last 1, 7 and 30 days with the current one. */
export const countActiveUsers = async (table: Table, nowMs: number): Promise<readonly number[]> => {
  const today = dayOf(nowMs)
  const lists = await Promise.all(
    [...listShards(), signedInUsersPartition].map((pk) => readCounters(table, pk, today - longestDays + 1)),
  )
  const counters = lists.flat().filter(({ number }) => number <= today)
  return activeUserDays.map((length) => countSince(counters, today - length + 1))
}

/** The number of users whom requests counted in each of these months, which are the days of their starts since 1970. */
export const countActiveUsersOfMonths = async (
  table: Table,
  months: readonly { readonly firstDay: number; readonly endDay: number }[],
): Promise<readonly number[]> => {
  const start = Math.min(...months.map(({ firstDay }) => firstDay))
  const lists = await Promise.all(listShards().map((pk) => readCounters(table, pk, start)))
  return months.map(({ firstDay, endDay }) =>
    countSince(
      lists.flat().filter(({ number }) => number < endDay),
      firstDay,
    ),
  )
}

const listShards = (): readonly string[] =>
  Array.from({ length: activeUserShards }, (_, shard) => activeUsersKey(shard, 0).pk)

const countSince = (counters: readonly Counter[], first: number): number =>
  counters.reduce((total, counter) => total + countFirstSeen(counter, first), 0)

interface Counter {
  readonly number: number
  readonly item: Readonly<Record<string, unknown>>
}

/** The users of a counter who did not come on an earlier day from `first` on. */
const countFirstSeen = ({ number, item }: Counter, first: number): number => {
  if (number < first) return 0
  const shortest = number - first + 1
  return Array.from({ length: Math.max(0, noRecentDay - shortest + 1) }, (_, at) => shortest + at).reduce(
    (total, gap) => total + (Number(item[nameGap(gap)]) || 0),
    0,
  )
}

const pageSize = 500

/** The counters of a partition from a day on. */
const readCounters = async (table: Table, pk: string, firstDay: number): Promise<readonly Counter[]> => {
  const counters: Counter[] = []
  for (let from = activeUsersKey(0, firstDay).sk; ; ) {
    const items = await table.page({ pk, from, limit: pageSize })
    counters.push(...items.map((item) => ({ number: dayNumberOf(item.sk), item })))
    const last = items.at(-1)
    if (!last || items.length < pageSize) return counters
    from = `${last.sk}#`
  }
}

const dayNumberOf = (sortKey: string): number => Number(sortKey.slice(activeUsersPrefix.length).split('#')[0])
