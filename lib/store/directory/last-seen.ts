import { isPresent, type Update } from '../engine/expressions.ts'
import { userKey } from '../engine/keys.ts'
import type { Table } from '../engine/table.ts'
import type { UserRecord } from '../records/user-record.ts'

/** Notes that a user was here; no edit, so that it never gets in the way of one. */
export const updateUserLastSeen = async (table: Table, id: number, nowMs: number): Promise<void> => {
  await table.update(userKey(id), (x) => ({
    set: [`${x.path('lastSeenAt')} = ${x.value(nowMs)}`],
    condition: isPresent(x),
  }))
}

/** How old a note of an address may become before it is written again. */
const addressPrecisionMs = 24 * 60 * 60_000

/** Notes where the user signed in from, keeping the newest `most`; nothing to do while the note is fresh. */
export const userSeenFrom = (user: UserRecord, network: string, nowMs: number, most: number): Update[] => {
  const notedAt = user.knownAddresses[network]
  if (notedAt !== undefined && nowMs - notedAt < addressPrecisionMs) return []
  const others = Object.entries(user.knownAddresses).filter(([name]) => name !== network)
  const forgotten = others.sort(([, a], [, b]) => b - a).slice(most - 1)
  return [
    (x) => ({
      set: [`${x.path('knownAddresses', network)} = ${x.value(nowMs)}`],
      remove: forgotten.map(([name]) => x.path('knownAddresses', name)),
    }),
  ]
}
