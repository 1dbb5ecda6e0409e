import { AppError } from '../../kernel/errors/errors.ts'
import { secondFactorSetupMs } from '../../kernel/limits/limits.ts'
import { day } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { getEffectivePermissions, grants } from '../access/permissions.ts'
import { isPasswordEnough } from '../directory/account-state.ts'
import type { UserRecord } from '../directory/user.records.ts'
import type { SignInPolicy, StoredSignInPolicy } from '../sign-in/policy.records.ts'
import type { SessionRecord } from '../sign-in/session.records.ts'

/** How the sign-in policy limits a session. */
export type SessionLimits = Pick<SessionRecord, 'limitedTo' | 'secondFactorRequiredFrom'> & {
  /** Epoch milliseconds. */
  readonly expiresAt?: number
}

/**
 * Returns the time from which the policy requires a second factor of this user, in epoch milliseconds. Returns undefined
 * if the password is not enough in any case, or if none is required. Reads groups only if the policy names permissions.
 */
export const findSecondFactorDeadline = async (
  { table }: Services,
  stored: StoredSignInPolicy | undefined,
  user: UserRecord,
): Promise<number | undefined> => {
  if (!stored || !isPasswordEnough(user)) return undefined
  const { policy, secondFactorSince } = stored
  if (!requiresByAccount(policy, user) && !(await requiresByPermission(table, policy, user))) return undefined
  return Math.max(secondFactorSince, user.createdAt) + policy.second_factor_grace_days * day
}

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

/** Whether a sign-in without a second factor gets no unlimited session. */
export const isSecondFactorOverdue = ({ now }: Services, deadline: number | undefined): boolean =>
  deadline !== undefined && deadline <= now()

/**
 * Limits the session of a sign-in without a second factor. Before the deadline, the session ends with the deadline.
 * Afterwards it can only set up a second factor, and only on request: other clients would not understand it.
 *
 * @throws AppError `login_incomplete` with `second_factor_setup_required`
 */
export const limitSession = (
  services: Services,
  deadline: number | undefined,
  wantsSetup: boolean,
): SessionLimits => {
  if (deadline === undefined) return {}
  if (!isSecondFactorOverdue(services, deadline))
    return { secondFactorRequiredFrom: deadline, expiresAt: deadline }
  if (!wantsSetup)
    throw new AppError('login_incomplete', {
      reason: 'second_factor_setup_required',
      detail:
        'This account needs a second factor. Sign in with `second_factor_setup` to get a session that can set one up.',
    })
  return {
    secondFactorRequiredFrom: deadline,
    limitedTo: 'second_factor_setup',
    expiresAt: services.now() + secondFactorSetupMs,
  }
}
