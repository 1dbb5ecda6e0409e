import { emailKey, externalIdKey, usernameKey } from '../../kernel/table/keys/keys.ts'
import { nameListing, userListing } from '../../kernel/table/keys/listing-keys.ts'
import { findRecord, readByIds, readListedByIds, userMarkerCodec } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { type ExternalId, type UserRecord, userKind } from './stored-user.records.ts'

export const findUser = (table: Table, id: number): Promise<UserRecord | undefined> =>
  findRecord(table, userKind.codec, userKind.keyOf(id))

/** The users with these IDs, in their order, to show them. Missing and unreadable ones are undefined. */
export const listUsers = (
  table: Table,
  ids: readonly number[],
): Promise<readonly (UserRecord | undefined)[]> => readListedByIds(table, userKind, ids)

/** The users with these IDs, in their order. Missing ones are undefined. */
export const findUsers = (
  table: Table,
  ids: readonly number[],
): Promise<readonly (UserRecord | undefined)[]> => readByIds(table, userKind, ids)

/** The ID of the user with a normalized username. */
export const findUserIdByUsername = async (
  table: Table,
  normalizedUsername: string,
): Promise<number | undefined> =>
  (await findRecord(table, userMarkerCodec, usernameKey(normalizedUsername)))?.userId

/** The ID of the account with a normalized email address that is verified. */
export const findUserIdByEmail = async (table: Table, normalizedEmail: string): Promise<number | undefined> =>
  (await findRecord(table, userMarkerCodec, emailKey(normalizedEmail)))?.userId

/** The ID of the account with this ID in another system. */
export const findUserIdByExternalId = async (
  table: Table,
  externalId: ExternalId,
): Promise<number | undefined> =>
  (await findRecord(table, userMarkerCodec, externalIdKey(externalId)))?.userId

/** The place of a user in a list in this order. */
export const getUserIndexKey = ({ id, normalizedUsername }: UserRecord, order: 'id' | 'username'): string =>
  order === 'id' ? userListing(id).lsk : nameListing('user', normalizedUsername, id).lsk
