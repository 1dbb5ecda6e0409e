import { passwordPolicyKey } from '../engine/keys.ts'
import { findRecord } from '../engine/read-records.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import {
  type PasswordPolicy,
  type StoredPolicy,
  storedPolicyCodec,
} from '../records/password-policy-record.ts'
import { replaceSettings } from './replace-settings.ts'

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
