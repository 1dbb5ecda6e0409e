import type { Codec } from '../engine/codec.ts'
import type { Table } from '../engine/table.ts'
import type { Key } from '../keys/keys.ts'
import { type UserRecord, userKind } from './user-record.ts'

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
