import { getEffectivePermissions, grants } from '../../accounts/callers/permissions.ts'
import type { SetupLimit } from '../../accounts/sessions/stored-session.records.ts'
import { hasPasskeys, isPasswordEnough } from '../../accounts/users/account-state.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { day } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import type { SignInPolicy, StoredSignInPolicy } from '../sign-in/policy.records.ts'

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
