import { adminAccess, grants, hasAdminAccess, isPrivileged } from '../../accounts/callers/permissions.ts'
import type { FactorRule, RightsProof } from '../../accounts/sessions/stored-session.records.ts'
import { isPasswordEnough } from '../../accounts/users/account-state.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { privilegedPermissions } from '../../kernel/contract/permissions.ts'
import { day } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { findMissingProofs, type GivenProof } from './missing-proofs.ts'
import { defaultSignInPolicy, type StoredSignInPolicy } from './policy.records.ts'

/*
 * A session can be older than a right of its user. Where the sign-in asks more for the right than the session proved, the right rests:
 * it has no effect in this session. Nobody has to note a new right for that. The session knows what it proved and what the sign-in
 * policy asks a second factor for, and each request reads it together with the rights of its user. So it makes no difference who
 * gave the right, and how: by a change of the user, of a group, or of the permissions of a group.
 *
 * A change of the policy reaches the sessions that are open by a job: see `session-review.job.ts`.
 */

/** What a session keeps of the sign-in policy. Every sign-in that reads the policy stores it, and every new proof in a session. */
export const describeFactorRule = (
  stored: StoredSignInPolicy | undefined,
): { readonly factorRule?: FactorRule } => {
  if (!stored) return {}
  const { policy, secondFactorSince: since } = stored
  const { second_factor_for_permissions: permissions, second_factor_for_groups: groups } = policy
  if (permissions.length + groups.length === 0) return {}
  return { factorRule: { permissions, groups, since, graceDays: policy.second_factor_grace_days } }
}

type Now = Pick<Services, 'config' | 'now'>

/** Leaves out of a user what has no effect in a session. What groups give is left out when they are read: see `takesFromGroups`. */
export const withoutRestingRights = (services: Now, session: RightsProof, user: UserRecord): UserRecord => {
  const { factorRule: rule } = session
  const isTooOld = isTooOldForAdministrators(services, session, user)
  // In most sessions no right can rest.
  if (!rule && !isWeak(session) && !isTooOld) return user
  const lacksProof = createProofCheck(services, session, user)
  const isAsked = (permission: string): boolean =>
    rule?.permissions.some((asked) => grants([permission], asked)) ?? false
  const rests = (permission: string): boolean =>
    lacksProof({ isPrivileged: isPrivileged(permission), isAsked: isAsked(permission) })
  const restsInGroup = (id: number): boolean =>
    rule?.groups.includes(id) === true && lacksProof({ isPrivileged: false, isAsked: true })
  const known = [...new Set([...privilegedPermissions, ...(rule?.permissions ?? [])])]
  const fromGroups = known.filter((permission) => rests(permission))
  const permissions = user.permissions.filter(rests)
  const groups = user.groups.filter(restsInGroup)
  if (fromGroups.length + permissions.length + groups.length === 0 && !isTooOld) return user
  return {
    ...user,
    permissions: user.permissions.filter((permission) => !permissions.includes(permission)),
    groups: user.groups.filter((id) => !groups.includes(id)),
    restingRights: {
      permissions,
      groups,
      fromGroups: isTooOld ? [...fromGroups, adminAccess] : fromGroups,
      ...(isTooOld && { isSessionTooOld: true }),
    },
  }
}

/** A right, as far as it decides about the proof that a sign-in takes. */
interface AskedRight {
  readonly isPrivileged: boolean
  /** Whether the sign-in policy names it. */
  readonly isAsked: boolean
}

/** Whether a sign-in can prove too little for privileged rights, whatever the sign-in policy says. */
const isWeak = ({
  authentication: { isPublicProvider, isFactorRemembered, isFromSetUp },
}: Pick<RightsProof, 'authentication'>): boolean =>
  isPublicProvider === true || isFactorRemembered === true || isFromSetUp === true

/** Whether a sign-in of a user with a right would ask more than the session proved. */
const createProofCheck = (
  { now }: Now,
  { factorRule, authentication }: RightsProof,
  user: UserRecord,
): ((right: AskedRight) => boolean) => {
  const nowMs = now()
  const at = factorRule && Math.max(factorRule.since, user.createdAt) + factorRule.graceDays * day
  const deadline =
    at === undefined || !isPasswordEnough(user)
      ? undefined
      : ({ at, limitedTo: 'second_factor_setup' } as const)
  const isTooWeak = isWeak({ authentication })
  return (right) => {
    const isAskedNow = right.isAsked && at !== undefined && at <= nowMs
    if (!isAskedNow && !(right.isPrivileged && isTooWeak)) return false
    const rules = {
      user: { ...user, password_change_required: false },
      policy: rememberingPolicy,
      deadline: right.isAsked ? deadline : undefined,
      requiredConnection: undefined,
      isPasswordBreached: false,
      isPrivileged: right.isPrivileged,
      nowMs,
    }
    return findMissingProofs(rules, withOwnCode(authentication, user)).length > 0
  }
}

/** What the whole session needs is not the question here. The policy that opened the session accepted its remembered device. */
const rememberingPolicy: StoredSignInPolicy = {
  policy: { ...defaultSignInPolicy, remembered_device_days: 1 },
  secondFactorSince: 0,
  version: 0,
}

/** Someone who turned on an authenticator app proved it in their session, because that ended all others. */
export const withOwnCode = (proof: GivenProof, { totp }: UserRecord): GivenProof =>
  totp && !proof.isFactorRemembered ? { ...proof, methods: [...proof.methods, 'otp'] } : proof

/**
 * Whether a session would have ended if it were that of an administrator. At a sign-in, groups say so as well. Later they are not
 * read for it, so the right that comes from a group rests instead.
 */
const isTooOldForAdministrators = (
  services: Now,
  session: RightsProof,
  { permissions, groups }: UserRecord,
): boolean => {
  if (session.isAdministrator || groups.length === 0 || hasAdminAccess(permissions)) return false
  const { administrators, users } = services.config.sessionLifetimes
  const isOlder =
    administrators.lifetimeMs < users.lifetimeMs &&
    services.now() - session.createdAt >= administrators.lifetimeMs
  return isOlder || session.wasIdle === true || isIdleForAdministrators(services, session)
}

/** Whether a session has been left unused for longer than one of an administrator may be. Its next use notes that with it. */
export const isIdleForAdministrators = (
  { config, now }: Now,
  { lastSeenAt }: Pick<RightsProof, 'lastSeenAt'>,
): boolean => {
  const { administrators, users } = config.sessionLifetimes
  return administrators.idleMs < users.idleMs && now() - lastSeenAt >= administrators.idleMs
}
