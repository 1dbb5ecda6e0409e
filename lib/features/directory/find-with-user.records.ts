import { type Key, signInPolicyKey } from '../../kernel/table/keys/keys.ts'
import type { Codec } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { type StoredSignInPolicy, signInPolicyCodec } from '../sign-in/policy.records.ts'
import { type UserRecord, userKind } from './user.records.ts'

/** Reads a record and a user in one call. Missing ones are undefined. */
export const findWithUser = async <Row>(
  table: Table,
  codec: Codec<Row>,
  key: Key,
  userId: number,
): Promise<readonly [Row | undefined, UserRecord | undefined]> => {
  const [item, user] = await table.getMany([key, userKind.keyOf(userId)])
  return [codec.decodeOptional(item), userKind.codec.decodeOptional(user)]
}

/** Reads a record of a user, the user, and the sign-in policy, in one call. */
export const findWithUserAndPolicy = async <Row>(
  table: Table,
  codec: Codec<Row>,
  key: Key,
  userId: number,
): Promise<readonly [Row | undefined, UserRecord | undefined, StoredSignInPolicy | undefined]> => {
  const [item, user, policy] = await table.getMany([key, userKind.keyOf(userId), signInPolicyKey])
  return [
    codec.decodeOptional(item),
    userKind.codec.decodeOptional(user),
    signInPolicyCodec.decodeOptional(policy),
  ]
}
