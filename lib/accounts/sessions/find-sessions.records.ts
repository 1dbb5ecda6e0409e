import { sessionKey } from '../../kernel/table/keys/keys.ts'
import { readEntries } from '../../kernel/table/listing.ts'
import { decodeListed } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Item } from '../../kernel/table/transaction.ts'
import { findWithUser } from '../users/find-with-user.records.ts'
import type { UserRecord } from '../users/stored-user.records.ts'
import { type SessionRecord, sessionCodec } from './stored-session.records.ts'

/** Reads a session and its user in one call. */
export const findSessionAndUser = async (
  table: Table,
  userId: number,
  hash: string,
): Promise<{ session: SessionRecord | undefined; user: UserRecord | undefined }> => {
  const [session, user] = await findWithUser(table, sessionCodec, sessionKey(userId, hash), userId)
  return { session, user }
}

/** Reads up to `limit` sessions of a user. Some of them may have expired. */
export const findSessions = async (
  table: Table,
  userId: number,
  limit: number,
): Promise<readonly SessionRecord[]> =>
  (await readSessionItems(table, userId, limit)).map(sessionCodec.decode)

/** The same to show them, without those that cannot be read. */
export const listSessions = async (
  table: Table,
  userId: number,
  limit: number,
): Promise<readonly SessionRecord[]> =>
  decodeListed(table, sessionCodec, await readSessionItems(table, userId, limit))

const readSessionItems = (table: Table, userId: number, limit: number): Promise<readonly Item[]> => {
  const { pk, sk } = sessionKey(userId, '')
  return table.page({ pk, from: sk, to: `${sk}~`, limit })
}

/** Reads all sessions of a user, in pages. Sessions of the user that are created concurrently may be missing. */
export async function* readSessionPages(
  table: Table,
  userId: number,
): AsyncGenerator<readonly SessionRecord[]> {
  const { pk, sk } = sessionKey(userId, '')
  const list = { pk, from: sk, to: `${sk}~` }
  let after: string | undefined
  do {
    const entries = await readEntries(table, list, { after, limit: sessionsPerPage, isDescending: false })
    yield entries.map(({ item }) => sessionCodec.decode(item))
    after = entries.length < sessionsPerPage ? undefined : entries.at(-1)?.indexKey
  } while (after !== undefined)
}

const sessionsPerPage = 500
