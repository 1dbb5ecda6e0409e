import type { Table } from '../store/table.ts'
import { findUser, findUserId, type UserRecord } from '../store/users.ts'
import { fitsKey } from './names.ts'

/** Nobody has the id 0, so that looking it up takes what looking up a user takes. */
const nobody = 0

/** The user of a folded username. Makes the same two calls whether there is one or not. */
export const findByUsername = async (
  table: Table,
  foldedUsername: string,
): Promise<UserRecord | undefined> => {
  const id =
    fitsKey(foldedUsername) && foldedUsername !== '' ? await findUserId(table, foldedUsername) : undefined
  return findUser(table, id ?? nobody)
}
