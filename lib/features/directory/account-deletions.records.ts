import { accountDeletionKey, accountDeletionPrefix, idAtEnd, type Key } from '../../kernel/table/keys/keys.ts'
import { partitions } from '../../kernel/table/keys/partitions.ts'
import { type Listing, readEntryPages } from '../../kernel/table/listing.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { DeletionRequest, UserRecord } from './user.records.ts'

/*
 * Users can ask for the deletion of their account. The request is part of their record. If the account is deleted after a
 * number of days, an item in the order of time leads to it. The item outlives the user, so that a deletion that was
 * interrupted is completed.
 */

/** Builds the steps that keep the item in line with a user's record. `after` is undefined for a deleted user. */
export const buildDeletionSteps = (
  before: Pick<UserRecord, 'deletion'> | undefined,
  after: Pick<UserRecord, 'id' | 'deletion'> | undefined,
): readonly Step[] => {
  const [oldTime, newTime] = [before?.deletion?.dueAt ?? null, after?.deletion?.dueAt ?? null]
  if (!after || oldTime === newTime) return []
  return [
    ...(oldTime === null ? [] : [{ delete: accountDeletionKey(oldTime, after.id) }]),
    ...(newTime === null ? [] : [{ put: { ...accountDeletionKey(newTime, after.id) } }]),
  ]
}

interface DueDeletion {
  readonly key: Key
  readonly userId: number
}

/** The deletions whose time has come, first those that wait longest. */
export async function* readDueDeletions(table: Table, nowMs: number): AsyncGenerator<DueDeletion> {
  const listing: Listing = {
    pk: partitions.accountDeletions,
    isListing: false,
    from: accountDeletionPrefix,
    to: accountDeletionKey(nowMs, Number.MAX_SAFE_INTEGER).sk,
  }
  for await (const entries of readEntryPages(table, listing, limit))
    for (const { key } of entries) yield { key, userId: idAtEnd(key.sk) }
}

const limit = 100

/** Removes the item of a user who was deleted, or whose request has ended. */
export const forgetDeletion = (table: Table, { key }: DueDeletion): Promise<void> =>
  table.transact([{ delete: key }])

/** Whether this item belongs to the request of the user. */
export const isDeletionOf = ({ key }: DueDeletion, { id, deletion }: UserRecord): boolean =>
  isDated(deletion) && accountDeletionKey(deletion.dueAt, id).sk === key.sk

const isDated = (
  deletion: DeletionRequest | undefined,
): deletion is DeletionRequest & { readonly dueAt: number } => typeof deletion?.dueAt === 'number'
