import { buildDueSteps, type DueItem, readDueItems } from '../../kernel/table/due-items.ts'
import { accountDeletionKey, accountDeletionPrefix } from '../../kernel/table/keys/keys.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { DeletionRequest, UserRecord } from './stored-user.records.ts'

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
  return after ? buildDueSteps(accountDeletionKey, after.id, oldTime, newTime) : []
}

/** The deletions whose time has come, first those that wait longest. Each has the ID of its user. */
export const readDueDeletions = (table: Table, nowMs: number): AsyncGenerator<DueItem> =>
  readDueItems(table, accountDeletionKey, accountDeletionPrefix, nowMs)

/** Removes the item of a user who was deleted, or whose request has ended. */
export const forgetDeletion = (table: Table, { key }: DueItem): Promise<void> =>
  table.transact([{ delete: key }])

/** Whether this item belongs to the request of the user. */
export const isDeletionOf = ({ key }: DueItem, { id, deletion }: UserRecord): boolean =>
  isDated(deletion) && accountDeletionKey(deletion.dueAt, id).sk === key.sk

const isDated = (
  deletion: DeletionRequest | undefined,
): deletion is DeletionRequest & { readonly dueAt: number } => typeof deletion?.dueAt === 'number'
