import type { users } from '../../lib/contract/operations/users.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { readTotals } from '../../lib/kernel/table/totals.ts'

/** Counts users and groups with one call, for any number of them. */
export const getTotals: UseCase<typeof users.getTotals> = async (_, { table }) => {
  const count = await readTotals(table)
  return {
    status: 200,
    body: { users: count('user') - count('guest'), guests: count('guest'), groups: count('group') },
  }
}
