import { type UserRecord, userKind } from '../../accounts/users/stored-user.records.ts'
import { deletionGraceDays } from '../../kernel/limits/limits.ts'
import type { HookName } from '../../kernel/settings/hooks.ts'
import { type Key, passwordPolicyKey, signInPolicyKey } from '../../kernel/table/keys/keys.ts'
import { type Codec, createCodec, findRecord } from '../../kernel/table/records.ts'
import { buildSettingsStep } from '../../kernel/table/replace-settings.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { omitUndefined, type Stored } from '../../kernel/util/object-fields.ts'
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

/** Reads a record of a user, the user, and the sign-in policy, in one call. */
export const findWithUserAndPolicy = async <Row>(
  table: Table,
  codec: Codec<Row>,
  key: Key,
  userId: number,
): Promise<readonly [Row | undefined, UserRecord | undefined, StoredSignInPolicy | undefined]> => {
  const [item, user, policy] = await table.getMany([key, userKind.keyOf(userId), signInPolicyKey])
  return [
    codec.decodeOptional(item),
    userKind.codec.decodeOptional(user),
    signInPolicyCodec.decodeOptional(policy),
  ]
}

/**
 * Replaces the policy that was read before.
 *
 * @throws EditConflict if it was changed since
 */
export const replaceSignInPolicy = (
  table: Table,
  before: StoredSignInPolicy | undefined,
  fields: Pick<StoredSignInPolicy, 'policy' | 'secondFactorSince' | 'devicesRememberedSince'>,
  extraSteps: readonly Step[],
): Promise<void> => table.transact([buildPolicyStep(before, { ...before, ...fields }), ...extraSteps])

/**
 * Builds the step that notes that domains can require their connections, unless that is noted. It fails with `EditConflict` if the policy
 * was changed since it was read here.
 */
export const buildRequiredDomainSteps = async (table: Table): Promise<readonly Step[]> => {
  const stored = await findSignInPolicy(table)
  if (stored?.hasRequiredDomains) return []
  const first = { policy: defaultSignInPolicy, secondFactorSince: 0 }
  return [buildPolicyStep(stored, { ...first, ...stored, hasRequiredDomains: true })]
}

/**
 * Builds the step that replaces which hooks are off. It fails with `EditConflict` if the policy was changed since it was read.
 */
export const buildHooksOffStep = (
  before: StoredSignInPolicy | undefined,
  hooksOff: NonNullable<StoredSignInPolicy['hooksOff']>,
): Step => buildPolicyStep(before, { policy: defaultSignInPolicy, secondFactorSince: 0, ...before, hooksOff })

/** Builds the step that replaces what is stored. It fails with `EditConflict` if that was changed since. */
const buildPolicyStep = (
  before: StoredSignInPolicy | undefined,
  {
    policy,
    secondFactorSince,
    devicesRememberedSince,
    hasRequiredDomains,
    hooksOff,
  }: Omit<StoredSignInPolicy, 'version'>,
): Step => {
  const fields = omitUndefined({
    ...{ policy, secondFactorSince, devicesRememberedSince, hasRequiredDomains, hooksOff },
  })
  return buildSettingsStep({ key: signInPolicyKey, before, fields })
}

/** Builds the step that stores the first policy of a new service. Its connections may be older, and what is noted about them stays. */
export const buildFirstSignInPolicyStep = (policy: SignInPolicy, nowMs: number): Step => ({
  update: signInPolicyKey,
  changes: (x) => ({
    set: [
      `${x.path('policy')} = ${x.value(policy)}`,
      `${x.path('secondFactorSince')} = ${x.value(nowMs)}`,
      `${x.path('version')} = if_not_exists(${x.path('version')}, ${x.value(0)}) + ${x.value(1)}`,
    ],
  }),
})

/** What the service requires of sign-ins, as administrators set it. */
export type SignInPolicy = Stored<Required<PolicyBody>>

/** The policy of a service without a stored one. Creating the first administrator stores `firstSignInPolicy`. */
export const defaultSignInPolicy: SignInPolicy = {
  second_factor_for_everybody: false,
  second_factor_for_permissions: [],
  second_factor_for_groups: [],
  second_factor_grace_days: 0,
  passkeys_only: false,
  passkey_upgrades: true,
  password_only_min_length: null,
  allow_email_codes: false,
  remembered_device_days: 0,
  account_deletion: 'off',
  account_deletion_grace_days: deletionGraceDays,
}

/** The policy that a new service starts with (NIST SP 800-63B-4 section 3.1.1.2). */
export const firstSignInPolicy: SignInPolicy = { ...defaultSignInPolicy, password_only_min_length: 15 }

/** Who turned a hook off, and when. */
interface HookOff {
  readonly by: number | null
  /** Epoch milliseconds. */
  readonly at: number
}

export interface StoredSignInPolicy {
  readonly policy: SignInPolicy
  /** When the current requirement of a second factor or a passkey was set, in epoch milliseconds. */
  readonly secondFactorSince: number
  /** When remembered devices were last allowed, in epoch milliseconds. Those from before do not work. Missing if they never were. */
  readonly devicesRememberedSince?: number | undefined
  /**
   * Whether a connection was ever required for its domains. Until then, a sign-in reads no domain. It stays when no connection
   * is required any more: counting them would have parallel changes wait for each other.
   */
  readonly hasRequiredDomains?: true
  /**
   * The hooks that administrators turned off. They are here because sign-ins read this record anyway. It is also the reason why an
   * edit of the policy keeps them.
   */
  readonly hooksOff?: Readonly<Partial<Record<HookName, HookOff>>> | undefined
  /** Increases with each edit. An edit of an older version is rejected. */
  readonly version: number
}

/** Whether an administrator turned a hook off in the console. */
export const isHookOff = (policy: StoredSignInPolicy | undefined, name: HookName): boolean =>
  policy?.hooksOff?.[name] !== undefined

export const signInPolicyCodec = createCodec<StoredSignInPolicy>('sign-in policy', {
  policy: 'map',
  secondFactorSince: 'number',
  version: 'number',
})
