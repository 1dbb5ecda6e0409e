import { passwordPolicyKey, signInPolicyKey } from '../engine/keys.ts'
import { findRecord } from '../engine/read-records.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { type StoredPolicy, storedPolicyCodec } from '../records/password-policy-record.ts'
import {
  type SignInPolicy,
  type StoredSignInPolicy,
  signInPolicyCodec,
} from '../records/sign-in-policy-record.ts'
import { replaceSettings } from './replace-settings.ts'

/** The stored policy. Undefined if none was ever set. */
export const findSignInPolicy = (table: Table): Promise<StoredSignInPolicy | undefined> =>
  findRecord(table, signInPolicyCodec, signInPolicyKey)

/** Reads the stored password policy and the stored sign-in policy in one call. */
export const findPolicies = async (
  table: Table,
): Promise<{
  readonly password: StoredPolicy | undefined
  readonly signIn: StoredSignInPolicy | undefined
}> => {
  const [password, signIn] = await table.getMany([passwordPolicyKey, signInPolicyKey])
  return {
    password: storedPolicyCodec.decodeOptional(password),
    signIn: signInPolicyCodec.decodeOptional(signIn),
  }
}

/**
 * Replaces the policy that was read before.
 *
 * @throws EditConflict if it was changed since
 */
export const replaceSignInPolicy = (
  table: Table,
  before: StoredSignInPolicy | undefined,
  fields: Pick<StoredSignInPolicy, 'policy' | 'secondFactorSince'>,
  extraSteps: readonly Step[],
): Promise<void> =>
  replaceSettings(table, { key: signInPolicyKey, before, fields: { ...fields } }, extraSteps)

/** Builds the step that stores the first policy of a new service. */
export const buildFirstSignInPolicyStep = (policy: SignInPolicy, nowMs: number): Step => ({
  put: { ...signInPolicyKey, policy, secondFactorSince: nowMs, version: 1 },
})
