import type { Principal } from '../../accounts/callers/principal.ts'
import { writeSettings } from '../../accounts/events/write-settings.ts'
import { hasPasskeys, hasSecondFactor } from '../../accounts/users/account-state.ts'
import { findAdminIds } from '../../accounts/users/admins.records.ts'
import { findUsers } from '../../accounts/users/find-users.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { UseCase } from '../../http/use-case.ts'
import { project, readGiven } from '../../kernel/contract/projection.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import type { Table } from '../../kernel/table/table.ts'
import { listNames } from '../../kernel/util/object-fields.ts'
import { formatTime } from '../../kernel/util/time.ts'
import { canHavePasskeys } from '../passkeys/passkey-rights.ts'
import type { passwords } from '../passwords/operations.ts'
import type { SignInPolicy as PolicyBody, SessionReview as ReviewBody } from './models.ts'
import { signInPolicyFields } from './models.ts'
import {
  defaultSignInPolicy,
  findSignInPolicy,
  replaceSignInPolicy,
  type SignInPolicy,
  type StoredSignInPolicy,
} from './policy.records.ts'
import {
  buildSessionReviewStep,
  findSessionReview,
  isReviewFinished,
  type SessionReview,
} from './session-review.records.ts'
import { requireWaysKept } from './ways-to-sign-in.ts'

export const getSignInPolicy: UseCase<typeof passwords.getSignInPolicy> = async (_, { table }) => {
  const stored = await findSignInPolicy(table)
  return { status: 200, body: toPolicyBody(stored?.policy ?? defaultSignInPolicy) }
}

/** How far the review of open sessions is that a change of the rules asked for. */
export const getSessionReview: UseCase<typeof passwords.getSessionReview> = async (_, { table }) => {
  const review = await findSessionReview(table)
  const { startedAt = null, finishedAt = null, users = 0, ended = 0, changed = 0 } = review ?? {}
  return {
    status: 200,
    body: {
      state: nameReviewState(review),
      started_at: formatTime(startedAt),
      finished_at: formatTime(finishedAt),
      users,
      sessions_ended: ended,
      sessions_changed: changed,
    },
  }
}

const nameReviewState = (review: SessionReview | undefined): ReviewBody['state'] => {
  if (!review) return 'none'
  if (isReviewFinished(review)) return 'done'
  return review.round === review.requests && (review.users ?? 0) > 0 ? 'running' : 'waiting'
}

/** Replaces the policy. The grace period starts again when the requirement of a second factor changes. */
export const updateSignInPolicy: UseCase<typeof passwords.updateSignInPolicy> = async (
  { body, principal, context },
  services,
) => {
  const { table, now } = services
  const policy = readPolicy(body)
  const stored = await findSignInPolicy(table)
  if (describeRule(policy) !== describeRule(stored?.policy ?? defaultSignInPolicy))
    await requireAdministratorWithFactor(table, principal, policy)
  if (policy.passkeys_only && !stored?.policy.passkeys_only) requireOwnPasskey(principal)
  const secondFactorSince = hasSameRequirement(stored, policy) ? stored.secondFactorSince : now()
  // Turning it off ends all devices, also if it is turned on again.
  const wasRemembering = (stored?.policy.remembered_device_days ?? 0) > 0
  const firstTime = policy.remembered_device_days > 0 ? now() : undefined
  const devicesRememberedSince = wasRemembering ? stored?.devicesRememberedSince : firstTime
  if (principal.kind !== 'configuration')
    await requireWaysKept(services, principal.user, {
      policy: { version: 0, ...stored, policy, secondFactorSince },
    })
  const before = stored?.policy ?? defaultSignInPolicy
  const reviewSteps = describeRule(before) === describeRule(policy) ? [] : [buildSessionReviewStep()]
  const change = { fields: signInPolicyFields, before: toPolicyBody(before), after: toPolicyBody(policy) }
  await writeSettings(context, { event: 'sign_in_policy.changed', ...change }, (steps) =>
    replaceSignInPolicy(table, stored, { policy, secondFactorSince, devicesRememberedSince }, [
      ...steps,
      ...reviewSteps,
    ]),
  )
  return { status: 200, body: toPolicyBody(policy) }
}

/**
 * An administrator who requires passkeys has used one, so that they do not lock themselves out. One who signs in only through an
 * identity provider goes on to do so.
 *
 * @throws AppError `conflict` with `own_passkey_required`
 */
const requireOwnPasskey = ({ kind, user }: Principal): void => {
  if (kind === 'configuration' || hasPasskeys(user) || !canHavePasskeys(user)) return
  throw new AppError('conflict', {
    reason: 'own_passkey_required',
    detail: 'You have no passkey, so this policy would lock you out. Add a passkey to your account first.',
  })
}

/**
 * There is always at least one administrator who can act. Without a grace period, a right that needs a second factor rests in all sessions
 * of those who have none. A document that describes the service is no session: the person who deploys it can change it again.
 *
 * @throws AppError `conflict` with `last_admin`
 */
const requireAdministratorWithFactor = async (
  table: Table,
  { kind, user }: Principal,
  policy: SignInPolicy,
): Promise<void> => {
  if (kind === 'configuration' || policy.second_factor_grace_days > 0 || policy.passkeys_only) return
  const canAct = (one: UserRecord): boolean =>
    hasSecondFactor(one) || !canHavePasskeys(one) || !isAskedForFactor(policy, one)
  if (canAct(user)) return
  const others = await findUsers(table, await findAdminIds(table))
  if (others.some((one) => one !== undefined && canAct(one))) return
  throw new AppError('conflict', {
    reason: 'last_admin',
    detail:
      'No administrator has a second factor, so nobody could act under this policy. Add a passkey or an authenticator app to your account first, or set `second_factor_grace_days`.',
  })
}

/** Whether the policy asks an administrator for a second factor. They hold every permission. */
const isAskedForFactor = (policy: SignInPolicy, { groups }: UserRecord): boolean =>
  policy.second_factor_for_everybody ||
  policy.second_factor_for_permissions.length > 0 ||
  groups.some((id) => policy.second_factor_for_groups.includes(id))

const hasSameRequirement = (
  stored: StoredSignInPolicy | undefined,
  policy: SignInPolicy,
): stored is StoredSignInPolicy => stored !== undefined && describe(stored.policy) === describe(policy)

/** Who needs a second factor or a passkey, without the grace period. */
const describe = (policy: SignInPolicy): string =>
  JSON.stringify([
    policy.passkeys_only,
    policy.second_factor_for_everybody,
    policy.second_factor_for_permissions.toSorted(),
    policy.second_factor_for_groups.toSorted((a, b) => a - b),
  ])

/** The same with the grace period: what decides about open sessions. */
const describeRule = (policy: SignInPolicy): string =>
  JSON.stringify([describe(policy), policy.second_factor_grace_days])

/** Reads a policy from a body. An omitted requirement does not exist. */
const readPolicy = (body: PolicyBody): SignInPolicy => {
  const policy: SignInPolicy = { ...defaultSignInPolicy, ...readGiven(policyNames, body) }
  return {
    ...policy,
    second_factor_for_permissions: [...new Set(policy.second_factor_for_permissions)],
    second_factor_for_groups: [...new Set(policy.second_factor_for_groups)],
  }
}

const policyNames = listNames(defaultSignInPolicy)

const toPolicyBody = (policy: SignInPolicy): PolicyBody => project(policyNames, policy)
