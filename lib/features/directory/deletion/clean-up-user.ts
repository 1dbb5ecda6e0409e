import type { RequestContext } from '../../../accounts/callers/request-context.ts'
import type { EndRow } from '../../../accounts/users/account-row.ts'
import { readUserItems } from '../../../accounts/users/user-items.records.ts'
import { userItemsDeletedPerRequest } from '../../../kernel/limits/limits.ts'
import type { ListEntry } from '../../../kernel/table/listing.ts'
import type { Table } from '../../../kernel/table/table.ts'
import { noteChange } from '../../../kernel/table/table-calls.ts'
import { type Step, wasCommitted } from '../../../kernel/table/transaction.ts'
import { accountEnds } from '../../account-ends.ts'

/**
 * Deletes the remaining items of a deleted user, at most `userItemsDeletedPerRequest`. What never expires comes first in
 * the partition: API tokens and passkeys before sessions. Returns whether there were any items.
 */
export const cleanUpDeletedUser = async (
  table: Table,
  userId: number,
  context: RequestContext,
): Promise<boolean> => {
  let deleted = 0
  while (deleted < userItemsDeletedPerRequest) {
    const { items, hasUser } = await readUserItems(table, userId, limit)
    // A user with this ID exists, because they are being created concurrently.
    if (items.length === 0 || hasUser) break
    const together: Step[] = []
    for (const entry of items) {
      const row = findRow(accountEnds, entry)
      const steps = buildEndSteps(row, entry, context)
      if (row?.endsAlone) await wasCommitted(table.transact(steps))
      else together.push(...steps)
    }
    if (together.length > 0) await table.transact(together)
    noteChange()
    deleted += items.length
  }
  return deleted > 0
}

/** Items that one transaction deletes. Each can have a marker, or a job to inform clients or a provider. */
const limit = 50

/** The row for an item of a user. */
export const findRow = <Row extends { readonly sk: string }>(
  rows: readonly Row[],
  { key }: Pick<ListEntry, 'key'>,
): Row | undefined => rows.find(({ sk }) => (sk.endsWith('#') ? key.sk.startsWith(sk) : key.sk === sk))

/** Builds the steps that end an item of a user. What no row names ends, too. */
export const buildEndSteps = (
  row: EndRow | undefined,
  entry: ListEntry,
  context: RequestContext,
): readonly Step[] => row?.buildEnd?.(entry, context) ?? [{ delete: entry.key }]
