import { passwordPolicyKey, signInPolicyKey } from '../../kernel/table/keys/keys.ts'
import { createCodec, findRecord } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { Stored } from '../../kernel/util/object-fields.ts'
import { buildSettingsStep } from '../directory/replace-settings.records.ts'
import { type StoredPolicy, storedPolicyCodec } from '../passwords/policy.records.ts'
import type { SignInPolicy as PolicyBody } from './models.ts'

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
): Promise<void> => {
  const requiredProviders = before?.requiredProviders ?? []
  return table.transact([buildSignInPolicyStep(before, { ...fields, requiredProviders }), ...extraSteps])
}

/** Builds the step that replaces what is stored. It fails with `EditConflict` if that was changed since. */
export const buildSignInPolicyStep = (
  before: StoredSignInPolicy | undefined,
  fields: Omit<StoredSignInPolicy, 'version'>,
): Step => buildSettingsStep({ key: signInPolicyKey, before, fields: { ...fields } })

/** Builds the step that stores the first policy of a new service. */
export const buildFirstSignInPolicyStep = (policy: SignInPolicy, nowMs: number): Step => ({
  put: { ...signInPolicyKey, policy, secondFactorSince: nowMs, version: 1 },
})

/** What the service requires of sign-ins, as administrators set it. */
export type SignInPolicy = Stored<Required<PolicyBody>>

export interface StoredSignInPolicy {
  readonly policy: SignInPolicy
  /** When the current requirement of a second factor was set, in epoch milliseconds. */
  readonly secondFactorSince: number
  /** The IDs of the SAML providers that are the only way to sign in for the people of their domains. */
  readonly requiredProviders?: readonly number[]
  /** Increases with each edit. An edit of an older version is rejected. */
  readonly version: number
}

export const signInPolicyCodec = createCodec<StoredSignInPolicy>('sign-in policy', {
  policy: 'map',
  secondFactorSince: 'number',
  version: 'number',
})
