import { isPresent } from '../engine/expressions.ts'
import { userKey } from '../engine/keys.ts'
import type { Table } from '../engine/table.ts'
import type { UserRecord } from '../records/user-record.ts'
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
  if (seenAt !== undefined && nowMs - seenAt < networkPrecisionMs) return []
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
 * Builds the update that adds a device to the user's known ones, of which the newest `limit` remain. Users of earlier
 * versions have no list of devices, so the whole list is written.
 */
export const buildKnownDeviceUpdates = (
  { knownDevices = {} }: UserRecord,
  device: string,
  nowMs: number,
  limit: number,
): UserUpdate[] => {
  const seenAt = knownDevices[device]
  if (seenAt !== undefined && nowMs - seenAt < networkPrecisionMs) return []
  const newest = Object.entries({ ...knownDevices, [device]: nowMs })
    .sort(([, a], [, b]) => b - a)
    .slice(0, limit)
  return [(x) => ({ set: [`${x.path('knownDevices')} = ${x.value(Object.fromEntries(newest))}`] })]
}
