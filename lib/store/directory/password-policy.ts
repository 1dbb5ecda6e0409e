import { isAbsent } from '../engine/expressions.ts'
import { passwordPolicyKey } from '../engine/keys.ts'
import { findRecord } from '../engine/read-records.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { EditConflict } from '../engine/transaction-errors.ts'
import {
  type PasswordPolicy,
  type StoredPolicy,
  storedPolicyCodec,
} from '../records/password-policy-record.ts'

export const findPasswordPolicy = (table: Table): Promise<StoredPolicy | undefined> =>
  findRecord(table, storedPolicyCodec, passwordPolicyKey)

/**
 * Puts a policy in the place of the one that was read, together with the steps in `along`.
 *
 * @throws EditConflict when another one was put there since.
 */
export const replacePasswordPolicy = async (
  table: Table,
  read: StoredPolicy | undefined,
  policy: PasswordPolicy,
  along: readonly Step[],
): Promise<void> => {
  const put: Step = {
    put: { ...passwordPolicyKey, policy, version: (read?.version ?? 0) + 1 },
    condition: read ? (x) => `${x.path('version')} = ${x.value(read.version)}` : isAbsent,
    orElse: () => new EditConflict(),
  }
  await table.transact([put, ...along])
}
