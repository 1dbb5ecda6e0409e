import { activeUserShards } from '../../kernel/table/keys/active-user-shards.ts'
import { activeUsersKey, idAtEnd } from '../../kernel/table/keys/keys.ts'
import { getShard } from '../../kernel/table/keys/partitions.ts'
import { readEntries } from '../../kernel/table/listing.ts'
import type { Table } from '../../kernel/table/table.ts'
import { day } from '../../kernel/util/time.ts'
import { isGuestUser } from './guest-state.records.ts'
import type { UserRecord } from './user.records.ts'

/*
 * The counter of a day counts each user who used a session on it once, by the number of days since they last did. The active
 * users of the last 7 days are then those who came on one of these days, but not on an earlier one of them. So nothing is
 * ever moved from one counter to another, and a count takes one write.
 *
 * The write is in no transaction. Transactions of different users that name the same item refuse each other, so a counter in
 * them would stop the first requests of a day. In return, a request that ends between the two writes is not counted.
 */

const longestDays = 30
/** Stands for users who did not come in the longest time of the figures, or never. */
const noRecentDay = longestDays

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
  const gap = nameGap(activeDay === undefined ? noRecentDay : Math.min(today - activeDay, noRecentDay))
  await table.tryUpdate(activeUsersKey(getShard(String(id), activeUserShards), today), (x) => ({
    set: [
      `${x.path(gap)} = if_not_exists(${x.path(gap)}, ${x.value(0)}) + ${x.value(1)}`,
      `${x.path('expires_at')} = ${x.value(((today + longestDays + 1) * day) / 1000)}`,
    ],
  }))
}

const nameGap = (days: number): string => `after${days}`

/** The number of users who came in the last 1, 7 and 30 days with the current one. */
export const countActiveUsers = async (table: Table, nowMs: number): Promise<readonly number[]> => {
  const today = dayOf(nowMs)
  const lists = await Promise.all(
    Array.from({ length: activeUserShards }, (_, at) => readShard(table, at, today)),
  )
  const counters = lists.flat()
  return activeUserDays.map((length) => {
    const first = today - length + 1
    return counters.reduce((total, counter) => total + countFirstSeen(counter, first), 0)
  })
}

interface Counter {
  readonly number: number
  readonly item: Readonly<Record<string, unknown>>
}

/** The users of a counter who did not come on an earlier day from `first` on. */
const countFirstSeen = ({ number, item }: Counter, first: number): number => {
  if (number < first) return 0
  const shortest = number - first + 1
  return Array.from({ length: noRecentDay - shortest + 1 }, (_, at) => shortest + at).reduce(
    (total, gap) => total + (Number(item[nameGap(gap)]) || 0),
    0,
  )
}

const readShard = async (table: Table, shard: number, today: number): Promise<readonly Counter[]> => {
  const [from, to] = [today - longestDays + 1, today].map((number) => activeUsersKey(shard, number))
  if (!from || !to) return []
  const listing = { pk: from.pk, isListing: false, from: from.sk, to: to.sk }
  const entries = await readEntries(table, listing, { limit: longestDays, isDescending: true })
  return entries.map(({ key, item }) => ({ number: idAtEnd(key.sk), item }))
}
