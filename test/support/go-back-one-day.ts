import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { userKey } from '../../lib/kernel/table/keys/keys.ts'
import type { Table } from '../../lib/kernel/table/table.ts'

/** Changes a user as if all that they did had been a day earlier. Returns the day that they were active on. */
export const goBackOneDay = async (table: Table, id: number): Promise<number | undefined> => {
  const { activeDay, lastSeenAt } = { ...(await findUser(table, id)) }
  await table.update(userKey(id), (x) => ({
    set: [
      `${x.path('activeDay')} = ${x.value(Number(activeDay) - 1)}`,
      `${x.path('lastSeenAt')} = ${x.value(Number(lastSeenAt) - 86_400_000)}`,
    ],
  }))
  return activeDay
}
