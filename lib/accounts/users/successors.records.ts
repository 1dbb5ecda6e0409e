import { formerGuestPrefix, idAtEnd, userKey } from '../../kernel/table/keys/keys.ts'
import type { Table } from '../../kernel/table/table.ts'
import { findUsers } from './find-users.records.ts'
import type { UserRecord } from './stored-user.records.ts'

/*
 * A link keeps the ID of its recipient. If an account replaced a guest, the record of the guest leads to the account. So
 * replacing a guest takes one transaction, no matter how many links the guest has.
 */

/** A guest who had rights for a while can stand between a guest and the account. */
const maxHops = 3

/** The users whom these stand for, in their order: accounts instead of the guests that they replaced. */
export const resolveSuccessors = async (
  table: Table,
  users: readonly (UserRecord | undefined)[],
): Promise<readonly (UserRecord | undefined)[]> => {
  let resolved = users
  for (let hop = 0; hop < maxHops; hop++) {
    const ids = [...new Set(resolved.flatMap((user) => user?.successorId ?? []))]
    if (ids.length === 0) return resolved
    const successors = new Map((await findUsers(table, ids)).map((user) => [user?.id, user]))
    resolved = resolved.map((user) =>
      user?.successorId === undefined ? user : successors.get(user.successorId),
    )
  }
  return resolved.map((user) => (user?.successorId === undefined ? user : undefined))
}

/** The user whom this one stands for. Makes no call for a user who was not replaced. */
export const resolveSuccessor = async (
  table: Table,
  user: UserRecord | undefined,
): Promise<UserRecord | undefined> => (await resolveSuccessors(table, [user]))[0]

/** The IDs of the guests whose links belong to a user now. */
export const findFormerGuestIds = async (table: Table, userId: number): Promise<readonly number[]> => {
  const items = await table.list(userKey(userId).pk, formerGuestPrefix)
  return items.map(({ sk }) => idAtEnd(sk)).slice(-formerGuestsListed)
}

/** Deletes the records of former guests, after their links. */
export const deleteFormerGuests = async (table: Table, guestIds: readonly number[]): Promise<void> => {
  if (guestIds.length > 0) await table.transact(guestIds.map((id) => ({ delete: userKey(id) })))
}

/** More lists cannot be merged in one call. A user gets a former guest for each address that they ever had. */
export const formerGuestsListed = 20
