import { lastSeenPrecisionMs } from '../../kernel/limits/limits.ts'
import { isPresent } from '../../kernel/table/expressions.ts'
import { userKey } from '../../kernel/table/keys/keys.ts'
import type { Table } from '../../kernel/table/table.ts'
import { wasCommitted } from '../../kernel/table/transaction.ts'
import { isWithin } from '../../kernel/util/time.ts'
import { type ActiveMark, countActiveUser, findNewActiveDay } from './active-users.records.ts'
import type { UserUpdate } from './build-user-step.records.ts'
import type { UserRecord } from './stored-user.records.ts'

/** Whether the time when a user or session was last seen has to be written again. */
export const isLastSeenStale = (
  { lastSeenAt }: { readonly lastSeenAt: number | null },
  nowMs: number,
): boolean => lastSeenAt === null || !isWithin(lastSeenAt, nowMs, lastSeenPrecisionMs)

/**
 * Sets the time when a user was last seen, and counts them on a new day. This is no edit: it does not change the version. Of
 * concurrent requests on a new day, one counts. Each write is tried once, because the request of the user waits for it.
 */
export const updateUserLastSeen = async (table: Table, user: UserRecord, nowMs: number): Promise<void> => {
  const activeDay = findNewActiveDay(user, nowMs)
  if (activeDay === undefined && !isLastSeenStale(user, nowMs)) return
  const update = table.tryUpdate(userKey(user.id), (x) => {
    const lastSeen = `${x.path('lastSeenAt')} = ${x.value(nowMs)}`
    if (activeDay === undefined) return { set: [lastSeen], condition: isPresent(x) }
    const [path, value] = [x.path('activeDay'), x.value(activeDay)]
    return {
      set: [lastSeen, `${path} = ${value}`],
      condition: `${isPresent(x)} AND (attribute_not_exists(${path}) OR ${path} < ${value})`,
    }
  })
  if (activeDay === undefined) await update
  else if (await wasCommitted(update)) await countActiveUser(table, user, activeDay)
}

/**
 * Builds the update that sets the time in the transaction of a sign-in, and the day on a new one: then its audit event counts the
 * user. It fails if another sign-in or request of the user counted them in between.
 */
export const buildLastSeenUpdates = (
  user: UserRecord,
  nowMs: number,
  mark: ActiveMark | undefined,
): readonly UserUpdate[] => {
  if (!mark && !isLastSeenStale(user, nowMs)) return []
  return [
    (x) => {
      const lastSeen = `${x.path('lastSeenAt')} = ${x.value(nowMs)}`
      if (!mark) return { set: [lastSeen] }
      const path = x.path('activeDay')
      return {
        set: [lastSeen, `${path} = ${x.value(mark.activeDay)}`],
        condition:
          user.activeDay === undefined
            ? `attribute_not_exists(${path})`
            : `${path} = ${x.value(user.activeDay)}`,
      }
    },
  ]
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
