import type { CleanUp, MoveElsewhere } from '../../accounts/users/account-row.ts'
import { noteChange } from '../../kernel/table/table-calls.ts'
import { wasCommitted } from '../../kernel/table/transaction.ts'
import { deleteLinksOf } from './delete-link.ts'
import { linkLists } from './index.records.ts'
import { buildNewCreatorSteps } from './records.ts'
import { linksIn } from './rules.ts'

export const cleanUp: CleanUp = deleteLinksOf

/** Makes the kept user the creator of the links of the other one. */
export const moveElsewhere: MoveElsewhere = {
  counts: 'access_links',
  move: async ({ table }, { from, to, isInTime }) => {
    let moved = 0
    for await (const links of linksIn(table, linkLists.madeBy(from)))
      for (const link of links) {
        if (link.createdBy !== from) continue
        if (!isInTime()) return { moved, isComplete: false }
        if (!(await wasCommitted(table.transact(buildNewCreatorSteps(link, to))))) continue
        noteChange()
        moved++
      }
    return { moved, isComplete: true }
  },
}
