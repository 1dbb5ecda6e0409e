import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { endSession } from '../../accounts/sessions/end-sessions.records.ts'
import { readSessionPages } from '../../accounts/sessions/find-sessions.records.ts'
import { isSessionUnended } from '../../accounts/sessions/session-rules.ts'
import type { SessionRecord } from '../../accounts/sessions/stored-session.records.ts'
import { type SessionRules, updateSessionRules } from '../../accounts/sessions/write-sessions.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { Services } from '../../services.ts'
import type { Connection } from '../connections/records.ts'
import { findSetupDeadline, type SetupDeadline } from '../second-factor/policy.ts'
import { findMissingProofs, type MissingProofKind } from './missing-proofs.ts'
import type { StoredSignInPolicy } from './policy.records.ts'
import { findProviderOfSignIn } from './required-sign-in.ts'
import { describeFactorRule, withOwnCode } from './resting-rights.ts'

interface Reviewed {
  readonly user: UserRecord
  readonly policy: StoredSignInPolicy | undefined
}

interface ReviewResult {
  /** Sessions that ended. */
  readonly ended: number
  /** Sessions that go on with other rules. */
  readonly changed: number
}

/**
 * Applies the rules of a sign-in of now to the open sessions of a user:
 *
 * - A session that the company of the user no longer accepts ends.
 * - So does one without the factor that everybody needs. Before the deadline, it ends with the deadline, as after a sign-in.
 * - Others keep what the policy asks a second factor for, so that these rights rest: see `resting-rights.ts`.
 */
export const reviewUser = async (
  services: Services,
  context: RequestContext,
  { user, policy }: Reviewed,
): Promise<ReviewResult> => {
  const rules = {
    user,
    policy,
    requiredConnection: await findProviderOfSignIn(services, policy, user),
    // Who needs a factor for a right keeps the session, and the right rests.
    deadline: isForEverybody(policy) ? await findSetupDeadline(services, policy, user) : undefined,
  }
  let result: ReviewResult = { ended: 0, changed: 0 }
  for await (const sessions of readSessionPages(services.table, user.id))
    for (const session of sessions) {
      if (session.accessLink || !isSessionUnended(services, session, user)) continue
      const done = await reviewSession(services, context, rules, session)
      result = { ended: result.ended + done.ended, changed: result.changed + done.changed }
    }
  return result
}

const isForEverybody = (stored: StoredSignInPolicy | undefined): boolean =>
  stored !== undefined && (stored.policy.second_factor_for_everybody || stored.policy.passkeys_only)

interface Rules extends Reviewed {
  readonly requiredConnection: Connection | undefined
  readonly deadline: SetupDeadline | undefined
}

const reviewSession = async (
  services: Services,
  context: RequestContext,
  rules: Rules,
  session: SessionRecord,
): Promise<ReviewResult> => {
  const { table, now } = services
  const { policy, deadline } = rules
  const missing = listMissing(rules, session, now())
  // A session for the set-up lacks the factor, and ends soon. Only the company can refuse it.
  const ends = session.limitedTo?.endsWith('_setup')
    ? missing.includes('required_connection')
    : missing.length > 0
  if (ends) {
    const { id, userId } = session
    await endSession(table, session, [
      auditStep(context, 'session.ended', { user: userId, target: String(id) }),
    ])
    return { ended: 1, changed: 0 }
  }
  if (session.limitedTo !== undefined && session.limitedTo !== 'organizations')
    return { ended: 0, changed: 0 }
  const lacksLater = deadline !== undefined && listMissing(rules, session, deadline.at).length > 0
  const next: SessionRules = {
    ...describeFactorRule(policy),
    ...(lacksLater && {
      secondFactorRequiredFrom: deadline.at,
      expiresAt: Math.min(session.expiresAt, deadline.at),
    }),
  }
  const isSame =
    JSON.stringify(next.factorRule) === JSON.stringify(toComparable(session.factorRule)) &&
    (next.expiresAt ?? session.expiresAt) === session.expiresAt
  if (isSame) return { ended: 0, changed: 0 }
  await updateSessionRules(table, session, next)
  return { ended: 0, changed: 1 }
}

/** The table returns fields in any order. */
const toComparable = (rule: SessionRecord['factorRule']): SessionRecord['factorRule'] =>
  rule && {
    permissions: rule.permissions,
    groups: rule.groups,
    since: rule.since,
    graceDays: rule.graceDays,
  }

const listMissing = (
  { user, policy, requiredConnection, deadline }: Rules,
  { authentication }: SessionRecord,
  nowMs: number,
): readonly MissingProofKind[] =>
  findMissingProofs(
    {
      user: { ...user, password_change_required: false },
      policy,
      deadline,
      requiredConnection,
      isPasswordBreached: false,
      // Rights that the sign-in does not give rest.
      isPrivileged: false,
      nowMs,
    },
    withOwnCode(authentication, user),
  ).map(({ kind }) => kind)
