import { AppError } from '../../kernel/errors/errors.ts'
import { secondFactorSetupMs } from '../../kernel/limits/limits.ts'
import { day } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { getEffectivePermissions, grants } from '../access/permissions.ts'
import { hasPasskeys, isPasswordEnough } from '../directory/account-state.ts'
import type { UserRecord } from '../directory/user.records.ts'
import type { SignInPolicy, StoredSignInPolicy } from '../sign-in/policy.records.ts'
import type { AuthenticationMethod, SessionRecord, SetupLimit } from '../sign-in/session.records.ts'

/** How the sign-in policy limits a session. */
export type SessionLimits = Pick<SessionRecord, 'limitedTo' | 'secondFactorRequiredFrom'> & {
  /** Epoch milliseconds. */
  readonly expiresAt?: number
}

/** From when the policy requires more of a user than they sign in with. */
export interface SetupDeadline {
  /** Epoch milliseconds. */
  readonly at: number
  /** What a session can do after the deadline: set up what is required. */
  readonly limitedTo: SetupLimit
}

/**
 * Returns the deadline for what the policy requires of this user: a second factor, or a passkey. Returns undefined if the password
 * is not enough in any case, or if nothing is required. Reads groups only if the policy names permissions.
 */
export const findSetupDeadline = async (
  { table, now }: Services,
  stored: StoredSignInPolicy | undefined,
  user: UserRecord,
): Promise<SetupDeadline | undefined> => {
  if (!stored) return undefined
  const { policy, secondFactorSince } = stored
  // The clock of the server that stored the policy may be ahead.
  if (acceptsOnlyPasskey(stored, user))
    return { at: Math.min(secondFactorSince, now()), limitedTo: 'passkey_setup' }
  const at = Math.max(secondFactorSince, user.createdAt) + policy.second_factor_grace_days * day
  if (policy.passkeys_only) return { at, limitedTo: 'passkey_setup' }
  if (!isPasswordEnough(user)) return undefined
  if (!requiresByAccount(policy, user) && !(await requiresByPermission(table, policy, user))) return undefined
  return { at, limitedTo: 'second_factor_setup' }
}

/** Whether nothing but a passkey, or the company's identity provider, signs this user in: they have a passkey, and the policy accepts nothing else. */
export const acceptsOnlyPasskey = (
  stored: StoredSignInPolicy | undefined,
  user: Pick<UserRecord, 'passkeys'>,
): boolean => stored?.policy.passkeys_only === true && hasPasskeys(user)

const requiresByAccount = (policy: SignInPolicy, { groups }: UserRecord): boolean =>
  policy.second_factor_for_everybody ||
  groups.some((group) => policy.second_factor_for_groups.includes(group))

const requiresByPermission = async (
  table: Services['table'],
  { second_factor_for_permissions: permissions }: SignInPolicy,
  user: UserRecord,
): Promise<boolean> => {
  if (permissions.length === 0) return false
  const held = await getEffectivePermissions(table, user)
  return permissions.some((permission) => grants(held, permission))
}

/** Whether a sign-in without what the policy requires gets no unlimited session. */
export const isSetupOverdue = ({ now }: Services, deadline: SetupDeadline | undefined): boolean =>
  deadline !== undefined && deadline.at <= now()

interface UnlimitedSignIn {
  readonly user: UserRecord
  readonly deadline: SetupDeadline | undefined
  /** What the user proved. */
  readonly methods: readonly AuthenticationMethod[]
}

/**
 * Limits the session of a sign-in without what the policy requires. Before the deadline, the session ends with the deadline.
 * Afterwards it can only set up what is required, and only on request: other clients would not understand it. A user who
 * has a passkey must use it, unless a recovery code replaces the passkey that they lost.
 *
 * @throws AppError `login_incomplete` with `second_factor_setup_required` or `passkey_required`
 */
export const limitSession = (
  services: Services,
  { user, deadline, methods }: UnlimitedSignIn,
  wantsSetup: boolean,
): SessionLimits => {
  if (deadline === undefined) return {}
  if (!isSetupOverdue(services, deadline))
    return { secondFactorRequiredFrom: deadline.at, expiresAt: deadline.at }
  if (hasPasskeys(user) && !methods.includes('recovery_code')) throw createPasskeyRequiredError()
  if (!wantsSetup)
    throw new AppError('login_incomplete', {
      reason: 'second_factor_setup_required',
      detail:
        deadline.limitedTo === 'passkey_setup'
          ? 'This account needs a passkey. Sign in with `second_factor_setup` to get a session that can add one.'
          : 'This account needs a second factor. Sign in with `second_factor_setup` to get a session that can set one up.',
    })
  return {
    secondFactorRequiredFrom: deadline.at,
    limitedTo: deadline.limitedTo,
    expiresAt: services.now() + secondFactorSetupMs,
  }
}

/** The answer to a right proof that does not replace the passkey of its account. */
export const createPasskeyRequiredError = (): AppError =>
  new AppError('login_incomplete', {
    reason: 'passkey_required',
    detail: 'Sign in with your passkey.',
  })
