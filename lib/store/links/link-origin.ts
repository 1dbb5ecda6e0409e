import { type UserRecord, userKind } from '../directory/user-record.ts'
import type { Table } from '../engine/table.ts'
import { accessTokenKey, sessionKey, userKey } from '../keys/keys.ts'
import { type SessionLink, type SessionRecord, sessionCodec } from '../sign-in/session-record.ts'
import { type AccessTokenRecord, accessTokenKind } from './access-token-record.ts'

export interface LinkOrigin {
  readonly token: AccessTokenRecord | undefined
  readonly creator: UserRecord | undefined
  /** In the order of the given hashes. Missing ones are undefined. */
  readonly sessions: readonly (SessionRecord | undefined)[]
}

/** Reads a token, its creator, and these sessions of a user in one call. */
export const findLinkOrigin = async (
  table: Table,
  { id, createdBy }: Pick<SessionLink, 'id' | 'createdBy'>,
  userId: number,
  sessionHashes: readonly string[],
): Promise<LinkOrigin> => {
  const [token, creator, ...sessions] = await table.getMany([
    accessTokenKey(id),
    userKey(createdBy),
    ...sessionHashes.map((hash) => sessionKey(userId, hash)),
  ])
  return {
    token: accessTokenKind.codec.decodeOptional(token),
    creator: userKind.codec.decodeOptional(creator),
    sessions: sessions.map(sessionCodec.decodeOptional),
  }
}
