import { auditRetentionMs } from '../../limits/limits.ts'
import { createCodec } from '../engine/codec.ts'
import { readRecords } from '../engine/read-records.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { deletedUserKey } from '../keys/keys.ts'
import type { UserRecord } from './user-record.ts'

/** Builds the step that keeps the name of a deleted user for as long as audit events can mention them. */
export const buildDeletedUserStep = ({ id, username }: UserRecord, nowMs: number): Step => ({
  put: { ...deletedUserKey(id), username, expires_at: Math.ceil((nowMs + auditRetentionMs) / 1000) },
})

const deletedUserCodec = createCodec<Pick<UserRecord, 'username'>>('deleted user', { username: 'string' })

/** The usernames of deleted users by ID, without users who exist or were deleted too long ago. */
export const findDeletedUsernames = async (
  table: Table,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> => {
  const records = await readRecords(table, deletedUserCodec, ids.map(deletedUserKey))
  return new Map(
    ids.flatMap((id, at) => {
      const record = records[at]
      return record ? [[id, record.username] as const] : []
    }),
  )
}
