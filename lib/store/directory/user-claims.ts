import { counterKey, emailKey, usernameKey } from '../engine/keys.ts'
import type { Table } from '../engine/table.ts'
import type { Item } from '../engine/transaction.ts'
import { userMarkerCodec } from '../records/markers.ts'

/** What markers are asked for: the normalized name and address, where there is one. */
export interface Claimed {
  readonly normalizedUsername?: string | undefined
  readonly normalizedEmail?: string | undefined
}

/** Who has a name or an address, and what it was imported from, if it was. */
export interface Claim {
  readonly userId: number
  readonly origin: string | undefined
}

export interface Claims {
  readonly username: Claim | undefined
  readonly email: Claim | undefined
}

/** How many `findClaims` answers in one call to the table, which reads up to 100 markers. */
export const claimsPerCall = 50

/** Who has the names and addresses of up to `claimsPerCall` users, in their order. */
export const findClaims = async (table: Table, users: readonly Claimed[]): Promise<readonly Claims[]> => {
  const keys = users.map(({ normalizedUsername, normalizedEmail }) => ({
    username: normalizedUsername === undefined ? undefined : usernameKey(normalizedUsername),
    email: normalizedEmail === undefined ? undefined : emailKey(normalizedEmail),
  }))
  const asked = keys.flatMap(({ username, email }) => [username, email]).filter((key) => key !== undefined)
  const found = await table.getMany(asked)
  const claims = new Map(asked.map(({ pk }, at) => [pk, readClaim(found[at])]))
  return keys.map(({ username, email }) => ({
    username: username && claims.get(username.pk),
    email: email && claims.get(email.pk),
  }))
}

const readClaim = (item: Item | undefined): Claim | undefined => {
  const marker = userMarkerCodec.decodeOptional(item)
  return marker && { userId: marker.userId, origin: marker.origin }
}

/** Takes so many ids in a row, in one call, and returns the first: one call each would queue at the counter. */
export const allocateUserIds = async (table: Table, count: number): Promise<number> =>
  (await table.next(counterKey('user'), count)) - count + 1
