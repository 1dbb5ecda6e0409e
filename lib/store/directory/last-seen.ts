import { day, isWithin } from '../../util/time.ts'
import { isPresent, type Update } from '../engine/expressions.ts'
import { readEntries } from '../engine/listing.ts'
import type { Table } from '../engine/table.ts'
import { type Step, wasCommitted } from '../engine/transaction.ts'
import { activeUsersKey, idAtEnd, userKey } from '../keys/keys.ts'
import { getShard } from '../keys/partitions.ts'
import { isGuestUser } from './guest-state.ts'
import type { UserRecord } from './user-record.ts'
import type { UserUpdate } from './user-step.ts'

/**
 * Sets the time when a user was last seen, and counts them on a new day. This is no edit: it does not change the version. Of
 * concurrent requests on a new day, one counts.
 */
export const updateUserLastSeen = async (table: Table, user: UserRecord, nowMs: number): Promise<void> => {
  const { id, lastSeenAt } = user
  if (isGuestUser(user) || !isNewDay(lastSeenAt, nowMs)) {
    await table.update(userKey(id), (x) => ({
      set: [`${x.path('lastSeenAt')} = ${x.value(nowMs)}`],
      condition: isPresent(x),
    }))
    return
  }
  await wasCommitted(
    table.transact([
      {
        update: userKey(id),
        changes: (x) => ({
          set: [`${x.path('lastSeenAt')} = ${x.value(nowMs)}`],
          condition: `${x.path('lastSeenAt')} = ${x.value(lastSeenAt)}`,
        }),
      },
      ...buildActiveUserSteps(id, lastSeenAt, nowMs),
    ]),
  )
}

/** A network is written again only if its time is older than this. */
const networkPrecisionMs = 24 * 60 * 60_000

/** Builds the update that adds a network to the user's known ones, of which the newest `limit` remain. */
export const buildKnownAddressUpdates = (
  user: UserRecord,
  network: string,
  nowMs: number,
  limit: number,
): UserUpdate[] => {
  const seenAt = user.knownAddresses[network]
  if (seenAt !== undefined && isWithin(seenAt, nowMs, networkPrecisionMs)) return []
  const others = Object.entries(user.knownAddresses).filter(([name]) => name !== network)
  const removed = others.sort(([, a], [, b]) => b - a).slice(limit - 1)
  return [
    (x) => ({
      set: [`${x.path('knownAddresses', network)} = ${x.value(nowMs)}`],
      remove: removed.map(([name]) => x.path('knownAddresses', name)),
    }),
  ]
}

/**
 * Builds the update that adds a device to one of the user's lists, of which the newest `limit` remain. The whole list is
 * written, because users begin without one.
 */
export const buildKnownDeviceUpdates = (
  user: UserRecord,
  list: 'knownDevices' | 'deviceCookies',
  device: string,
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): UserUpdate[] => {
  const known = user[list] ?? {}
  const seenAt = Object.hasOwn(known, device) ? known[device] : undefined
  if (seenAt !== undefined && isWithin(seenAt, nowMs, networkPrecisionMs)) return []
  const others = Object.entries(known).filter(([name]) => name !== device)
  const newest = [[device, nowMs], ...others.sort(([, a], [, b]) => b - a).slice(0, limit - 1)]
  return [(x) => ({ set: [`${x.path(list)} = ${x.value(Object.fromEntries(newest))}`] })]
}

/*
 * Each user was last seen on one day. A counter for each day has the number of these users, so the active users of the last 7
 * days are the sum of 7 counters, each user once. When a user is seen on another day, they move from counter to counter, in
 * the transaction that stores the time. Counters of days that are no longer shown expire.
 */

/** A day of many users takes several partitions: each takes at most 1,000 writes a second. */
const shards = 8
const longestDays = 30

/** The days of the figures. Days are those of UTC. */
export const activeUserDays = [1, 7, longestDays] as const

const dayOf = (ms: number): number => Math.floor(ms / day)

/** Whether a user who is seen now was not seen before on this day. */
const isNewDay = (lastSeenAt: number | null, nowMs: number): boolean =>
  lastSeenAt === null || dayOf(lastSeenAt) < dayOf(nowMs)

/** Builds the steps that count a user who is seen on a new day. */
const buildActiveUserSteps = (userId: number, lastSeenAt: number | null, nowMs: number): readonly Step[] => {
  const shard = getShard(String(userId), shards)
  const today = dayOf(nowMs)
  const before = lastSeenAt === null ? undefined : dayOf(lastSeenAt)
  const count = (number: number, added: 1 | -1): Step => ({
    update: activeUsersKey(shard, number),
    changes: addTo(added, (number + longestDays + 1) * day),
  })
  const isShown = before !== undefined && before > today - longestDays
  return [count(today, 1), ...(isShown ? [count(before, -1)] : [])]
}

const addTo =
  (added: number, keptUntilMs: number): Update =>
  (x) => ({
    set: [
      `${x.path('users')} = if_not_exists(${x.path('users')}, ${x.value(0)}) + ${x.value(added)}`,
      `${x.path('expires_at')} = ${x.value(keptUntilMs / 1000)}`,
    ],
  })

/** The number of users who were seen in the last 1, 7 and 30 days with the present one. */
export const countActiveUsers = async (table: Table, nowMs: number): Promise<readonly number[]> => {
  const today = dayOf(nowMs)
  const lists = await Promise.all(Array.from({ length: shards }, (_, at) => readShard(table, at, today)))
  const counts = lists.flat()
  return activeUserDays.map((length) =>
    counts
      .filter(({ number }) => number > today - length)
      .reduce((total, { users }) => Math.max(0, total + users), 0),
  )
}

const readShard = async (table: Table, shard: number, today: number) => {
  const [from, to] = [today - longestDays + 1, today].map((number) => activeUsersKey(shard, number))
  if (!from || !to) return []
  const listing = { pk: from.pk, isListing: false, from: from.sk, to: to.sk }
  const entries = await readEntries(table, listing, { limit: longestDays, isDescending: true })
  return entries.map(({ key, item }) => ({ number: idAtEnd(key.sk), users: Number(item['users']) || 0 }))
}
