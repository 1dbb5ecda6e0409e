import type { UserRecord } from '../../store/directory/user-record.ts'
import { findUser, findUserIdByEmail, findUserIdByUsername } from '../../store/directory/users.ts'
import type { Table } from '../../store/engine/table.ts'
import { fitsKey, normalizeEmail, normalizeUsername } from './names.ts'

/**
 * Finds a user by email address or username. The owner of an address takes precedence, because a username may look like
 * an email address without being the address of its user.
 */
export const findUserByName = async (table: Table, name: string): Promise<UserRecord | undefined> => {
  const id =
    (await findId(normalizeEmail(name), (email) => findUserIdByEmail(table, email))) ??
    (await findId(normalizeUsername(name), (username) => findUserIdByUsername(table, username)))
  return id === undefined ? undefined : findUser(table, id)
}

/** Looks up nothing for a text that cannot be a name. */
export const findId = async (
  normalized: string,
  find: (normalized: string) => Promise<number | undefined>,
): Promise<number | undefined> => (normalized !== '' && fitsKey(normalized) ? find(normalized) : undefined)
