import type { CountedMove, Merge, Move } from '../../../accounts/users/account-row.ts'
import { buildCopyStep, readUserItems } from '../../../accounts/users/user-items.records.ts'
import type { ListEntry } from '../../../kernel/table/listing.ts'
import { noteChange } from '../../../kernel/table/table-calls.ts'
import { wasCommitted } from '../../../kernel/table/transaction.ts'
import { accountEnds } from '../../account-ends.ts'
import { accountMerges } from '../../account-merges.ts'
import { buildEndSteps, findRow } from '../deletion/clean-up-user.ts'

/** How many items of a merged user were moved. */
export interface MovedItems {
  readonly counts: ReadonlyMap<CountedMove, number>
  readonly isComplete: boolean
}

const pageSize = 50

/**
 * Moves what a merged user has in their partition, or ends it, as the rows of the features say, as long as there is time. What another
 * call moves at the same time is moved once.
 */
export const moveUserItems = async (merge: Merge, isInTime: () => boolean): Promise<MovedItems> => {
  const { table, merged } = merge
  const counts = new Map<CountedMove, number>()
  for (;;) {
    const { items } = await readUserItems(table, merged.id, pageSize)
    if (items.length === 0) return { counts, isComplete: true }
    for (const entry of items) {
      if (!isInTime()) return { counts, isComplete: false }
      const move = await planMove(entry, merge)
      if (!(await wasCommitted(table.transact(move.steps)))) continue
      noteChange()
      if (move.counts) counts.set(move.counts, (counts.get(move.counts) ?? 0) + 1)
    }
  }
}

/** What no row names ends. */
const planMove = (entry: ListEntry, merge: Merge): Promise<Move> | Move => {
  const plan = findRow(accountMerges, entry)?.merge ?? 'ends'
  if (typeof plan === 'function') return plan(entry, merge)
  const copies = plan === 'moves' ? [buildCopyStep(entry, merge.keptId)] : []
  return { steps: [...buildEndSteps(findRow(accountEnds, entry), entry, merge.context), ...copies] }
}
