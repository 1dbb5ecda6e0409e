import type { Step } from '../../kernel/table/transaction.ts'
import type { UserRecord } from './stored-user.records.ts'

/** Describes an edit of a user to whom a directory gave something, for the check before it is written. */
export const describeEdit = (
  before: UserRecord,
  changes: Partial<UserRecord>,
): Pick<Extract<Step, { edits?: unknown }>, 'edits'> =>
  before.directories ? { edits: { before, after: { ...before, ...changes } } } : {}
