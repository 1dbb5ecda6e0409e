import type { Key } from '../../kernel/table/keys/keys.ts'
import type { Codec } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { type UserRecord, userKind } from './stored-user.records.ts'

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
