import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { buildOutboxStep } from '../../accounts/outbox/outbox.records.ts'
import { buildUserStep } from '../../accounts/users/build-user-step.records.ts'
import type { BreachLookup, UserRecord } from '../../accounts/users/stored-user.records.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { breachEmailIntervalMs, signInBreachLookupIntervalMs } from '../../kernel/limits/password-limits.ts'
import { EditConflict, type Step } from '../../kernel/table/transaction.ts'
import { isWithin } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { findKnownPlaces } from '../sign-in/known-places.ts'
import { canResetPassword } from './reset-tokens.ts'

/*
 * A password can get into a breach after it was chosen, and an imported one was never looked up. So the right password of a
 * sign-in is looked up, too: once for each account in 30 days, and for as long as people do not notice.
 */

/** What is known about the right password of a sign-in. */
export interface BreachFinding {
  /** Whether the user has to choose another password. */
  readonly isBreached: boolean
  /** What the sign-in stores with the user. Empty if nothing was found out. */
  readonly fields: Pick<UserRecord, 'breachLookup'>
}

/** The finding of a sign-in whose password is not looked up. */
export const noFinding: BreachFinding = { isBreached: false, fields: {} }

/**
 * Looks up the right password of a user, unless that was done lately. Without an answer in time the sign-in goes on, and
 * the next one asks again. Takes no table call, unless the password is breached.
 */
export const lookUpAtSignIn = async (
  services: Services,
  user: UserRecord,
  password: string,
): Promise<BreachFinding> => {
  const { breachLookup: last } = user
  const nowMs = services.now()
  if (last?.isFound) return { isBreached: await refusesBreached(services, user), fields: {} }
  if (last && isWithin(last.at, nowMs, signInBreachLookupIntervalMs)) return noFinding
  if (services.config.breachEndpoint === undefined) return noFinding
  // Loaded on demand, because few sign-ins look up anything.
  const { findBreach } = await import('./breached-passwords.ts')
  const isFound = await findBreach(services, password, 'sign_in')
  if (isFound === undefined) return noFinding
  return {
    isBreached: isFound && (await refusesBreached(services, user)),
    fields: { breachLookup: { at: nowMs, isFound } },
  }
}

/** Whether the policy refuses breached passwords. Otherwise the user could choose the next one. */
const refusesBreached = async (services: Services, user: UserRecord): Promise<boolean> => {
  // Loaded on demand, because few passwords are breached.
  const { loadPolicyFor } = await import('./policy.ts')
  return (await loadPolicyFor(services, user)).no_pwned === true
}

/**
 * Lets the owner of an account change a breached password, and nobody else. Others can have it from the breach. So without a
 * second factor, and where the user never signed in before, the change takes the link of an email. A user who cannot get one
 * changes the password at once.
 *
 * @throws AppError `login_incomplete` with `password_breached`, after it queued the email
 * @throws EditConflict if the account was changed since it was read
 */
export const requireOwnerOfBreached = async (
  services: Services,
  context: RequestContext,
  user: UserRecord,
): Promise<void> => {
  const { table, now } = services
  const nowMs = now()
  if (findKnownPlaces(user, context).length > 0 || !canResetPassword(user, nowMs)) return
  const { emailedAt } = user.breachLookup ?? {}
  if (emailedAt === undefined || !isWithin(emailedAt, nowMs, breachEmailIntervalMs))
    await table.transact([
      buildOutboxStep(
        { kind: 'password_reset', userId: user.id, reason: 'password_breached' },
        context,
        nowMs,
      ),
      buildFindingStep(user, { at: nowMs, isFound: true, emailedAt: nowMs }),
    ])
  throw new AppError('login_incomplete', {
    reason: 'password_breached',
    detail:
      'The password was found in a data breach of another service. Choose a new one with the link in the email that was sent to you.',
  })
}

/**
 * Keeps that the password is breached, before its owner is asked for a new one. So it does not work while the lookup gets no
 * answer.
 *
 * @throws EditConflict if the account was changed since it was read
 */
export const keepFinding = async (
  { table }: Services,
  user: UserRecord,
  { fields: { breachLookup } }: BreachFinding,
): Promise<void> => {
  if (breachLookup) await table.transact([buildFindingStep(user, breachLookup)])
}

const buildFindingStep = (user: UserRecord, breachLookup: BreachLookup): Step =>
  buildUserStep(user, { breachLookup }, [], () => new EditConflict())
