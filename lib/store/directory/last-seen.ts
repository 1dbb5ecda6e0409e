import { isWithin } from '../../limits/waits.ts'
import { isPresent } from '../engine/expressions.ts'
import type { Table } from '../engine/table.ts'
import { userKey } from '../keys/keys.ts'
import type { UserRecord } from './user-record.ts'
import type { UserUpdate } from './user-step.ts'

/** Sets the time when a user was last seen. This is no edit: it does not change the version. */
export const updateUserLastSeen = async (
  table: Table,
  user: Pick<UserRecord, 'id'>,
  nowMs: number,
): Promise<void> => {
  await table.update(userKey(user.id), (x) => ({
    set: [`${x.path('lastSeenAt')} = ${x.value(nowMs)}`],
    condition: isPresent(x),
  }))
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
