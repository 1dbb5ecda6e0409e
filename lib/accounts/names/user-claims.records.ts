import {
  counterKey,
  emailKey,
  externalIdKey,
  type Key,
  usernameKey,
  usernameSkeletonKey,
} from '../../kernel/table/keys/keys.ts'
import { readByIds, userMarkerCodec } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Item } from '../../kernel/table/transaction.ts'
import { isGuestUser } from '../users/guest-state.records.ts'
import { type ExternalId, userKind } from '../users/stored-user.records.ts'

/** The normalized username and email address to look up, the looks of the username, and the ID in another system. */
export interface ClaimedNames {
  readonly normalizedUsername?: string | undefined
  readonly normalizedSkeleton?: string | undefined
  readonly normalizedEmail?: string | undefined
  readonly externalId?: ExternalId | undefined
}

/** The user who has a name, and the hash of the line that they were imported from. */
export interface Claim {
  readonly userId: number
  readonly origin: string | undefined
}

export interface Claims {
  readonly username: Claim | undefined
  readonly email: Claim | undefined
  /** The user whose name looks like the username. */
  readonly skeleton: Claim | undefined
  readonly externalId: Claim | undefined
}

/** The number of users whose names `findClaims` looks up in one call. A call reads up to 100 markers. */
export const claimsPerCall = 25

/** Finds which accounts have the names and addresses of up to `claimsPerCall` users. The result has their order. */
export const findClaims = async (
  table: Table,
  users: readonly ClaimedNames[],
): Promise<readonly Claims[]> => {
  const keys = users.map(({ normalizedUsername, normalizedEmail, normalizedSkeleton, externalId }) => ({
    username: normalizedUsername === undefined ? undefined : usernameKey(normalizedUsername),
    email: normalizedEmail === undefined ? undefined : emailKey(normalizedEmail),
    skeleton: normalizedSkeleton === undefined ? undefined : usernameSkeletonKey(normalizedSkeleton),
    externalId: externalId && externalIdKey(externalId),
  }))
  const markerKeys = keys
    .flatMap(({ username, email, skeleton, externalId }) => [username, email, skeleton, externalId])
    .filter((key) => key !== undefined)
  const markers = (await table.getMany(markerKeys)).map(readClaim)
  const guestIds = await findGuestIds(table, markers)
  const claims = new Map(
    markerKeys.map(({ pk, sk }, at) => [
      pk + sk,
      guestIds.has(markers[at]?.userId) ? undefined : markers[at],
    ]),
  )
  const find = (key: Key | undefined) => key && claims.get(key.pk + key.sk)
  return keys.map(({ username, email, skeleton, externalId }) => ({
    username: find(username),
    email: find(email),
    skeleton: find(skeleton),
    externalId: find(externalId),
  }))
}

const readClaim = (item: Item | undefined): Claim | undefined => {
  const marker = userMarkerCodec.decodeOptional(item)
  return marker && { userId: marker.userId, origin: marker.origin }
}

/** The guests among the holders, who had rights for a while. Guests give way, so their names are free. */
const findGuestIds = async (
  table: Table,
  claims: readonly (Claim | undefined)[],
): Promise<ReadonlySet<number | undefined>> => {
  const ids = [...new Set(claims.flatMap((claim) => claim?.userId ?? []))]
  const users = await readByIds(table, userKind, ids)
  return new Set(users.flatMap((user) => (user && isGuestUser(user) ? [user.id] : [])))
}

/** Allocates consecutive user IDs in one call and returns the first one. Single calls would queue at the counter. */
export const allocateUserIds = async (table: Table, count: number): Promise<number> =>
  (await table.nextIds(counterKey('user'), count)).first
