import { passwordPolicyKey } from '../../kernel/table/keys/keys.ts'
import { createCodec, findRecord } from '../../kernel/table/records.ts'
import { replaceSettings } from '../../kernel/table/replace-settings.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { Stored } from '../../kernel/util/object-fields.ts'
import type { PasswordPolicy as PolicyBody } from './models.ts'

/** The stored policy. Undefined if none was ever set. */
export const findPasswordPolicy = (table: Table): Promise<StoredPolicy | undefined> =>
  findRecord(table, storedPolicyCodec, passwordPolicyKey)

/**
 * Replaces the policy that was read before.
 *
 * @throws EditConflict if it was changed since.
 */
export const replacePasswordPolicy = (
  table: Table,
  before: StoredPolicy | undefined,
  policy: PasswordPolicy,
  extraSteps: readonly Step[],
): Promise<void> => replaceSettings(table, { key: passwordPolicyKey, before, fields: { policy } }, extraSteps)

/** The requirements for new passwords, as administrators set them. Null means that there is no such requirement. */
export type PasswordPolicy = Stored<Required<PolicyBody>>

/** A minimum number of matches of an expression. Messages use the name of the group. */
export type PasswordRule = PasswordPolicy['rules'][number]

export interface StoredPolicy {
  readonly policy: PasswordPolicy
  /** Increases with each edit. An edit of an older version is rejected. */
  readonly version: number
}

export const storedPolicyCodec = createCodec<StoredPolicy>('password policy', {
  policy: 'map',
  version: 'number',
})
