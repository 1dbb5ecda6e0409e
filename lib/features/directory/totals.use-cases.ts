import type { UseCase } from '../../http/use-case.ts'
import { readTotals } from '../../kernel/table/totals.ts'
import type { users } from './users.operations.ts'

/** Counts users and groups with one call, for any number of them. */
export const getTotals: UseCase<typeof users.getTotals> = async (_, { table }) => {
  const count = await readTotals(table)
  return {
    status: 200,
    body: { users: count('user') - count('guest'), guests: count('guest'), groups: count('group') },
  }
}
