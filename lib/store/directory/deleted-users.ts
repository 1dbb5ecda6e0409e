import { auditRetentionMs } from '../../core/limits.ts'
import { deletedUserKey } from '../engine/keys.ts'
import { readAll } from '../engine/listing.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import type { UserRecord } from '../records/user-record.ts'

/** Keeps what a user was called, for as long as records tell of it; goes along with the user's deletion. */
export const buildDeletedUserStep = ({ id, username }: UserRecord, nowMs: number): Step => ({
  put: { ...deletedUserKey(id), username, expires_at: Math.ceil((nowMs + auditRetentionMs) / 1000) },
})

/** What users were called that were deleted; none for those that weren't, or so long ago that nothing tells of them. */
export const findDeletedUsernames = async (
  table: Table,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> => {
  const items = await readAll(table, ids.map(deletedUserKey))
  return new Map(
    items.flatMap((item, at) => {
      const id = ids[at]
      return item && id !== undefined ? [[id, String(item['username'])] as const] : []
    }),
  )
}
