import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { Operation } from '../../kernel/contract/operation.ts'
import { checkEdits } from '../../kernel/table/edit-checks.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { RecordEdit } from '../../kernel/table/transaction.ts'
import type { Membership } from '../organizations/memberships.records.ts'

/*
 * People and API tokens cannot change what a directory keeps. Each edit of a record that a directory gave something to says what it changes,
 * so every operation is checked, and records without a directory cost nothing. Operations declare by `localChange` that they are no local
 * change: a directory or its sign-in acts, or access ends.
 */

/**
 * Runs the use case of an operation.
 *
 * @throws AppError `conflict` with the reason `managed_by_directory` instead of a transaction that changes what a directory keeps
 */
export const refuseLocalChanges = <Result>(
  table: Table,
  { localChange }: Pick<Operation, 'localChange'>,
  work: () => Promise<Result>,
): Promise<Result> =>
  localChange === 'by_connection' || localChange === 'ends_access'
    ? work()
    : checkEdits((edit) => requireNotKept(table, edit), work)

const requireNotKept = async (table: Table, { before, after }: RecordEdit): Promise<void> => {
  // Loaded on demand, because few records have a directory.
  const { requireRolesNotKept, requireUserNotKept } = await import('../connections/kept-by-directory.ts')
  if ('directories' in before) return requireUserNotKept(table, before as UserRecord, after as UserRecord)
  return requireRolesNotKept(table, before as Membership, after as Membership)
}
