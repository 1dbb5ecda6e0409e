import { userKey } from '../engine/keys.ts'
import type { Table } from '../engine/table.ts'
import { wasCommitted } from '../engine/transaction-errors.ts'
import type { RevokedPeriod } from '../records/user-record.ts'

/** Forgets a period after all of its credentials were deleted. Does nothing if it was extended since. */
export const forgetRevokedPeriod = async (
  table: Table,
  userId: number,
  { from, to }: RevokedPeriod,
): Promise<void> => {
  await wasCommitted(
    table.update(userKey(userId), (x) => ({
      remove: [x.path('revokedCredentials')],
      condition: [
        `${x.path('revokedCredentials', 'from')} = ${x.value(from)}`,
        `${x.path('revokedCredentials', 'to')} = ${x.value(to)}`,
      ].join(' AND '),
    })),
  )
}
