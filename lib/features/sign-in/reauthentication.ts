import type { SessionPrincipal } from '../../accounts/callers/principal.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { consume, tryRefund } from '../../accounts/callers/throttle.ts'
import { auditStep, writeAudit } from '../../accounts/events/write-event.ts'
import type { SessionAuthentication, SessionRecord } from '../../accounts/sessions/stored-session.records.ts'
import { buildAuthenticationStep } from '../../accounts/sessions/write-sessions.records.ts'
import { buildUserStep } from '../../accounts/users/build-user-step.records.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { AppError, conflict, invalidRequest } from '../../kernel/errors/errors.ts'
import { verifyPassword } from '../../kernel/secrets/passwords.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import { EditConflict } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import {
  type BreachFinding,
  keepFinding,
  lookUpAtSignIn,
  noFinding,
  requireOwnerOfBreached,
} from '../passwords/breach-at-sign-in.ts'
import { type Proof, proveSecondFactor } from '../second-factor/rules.ts'
import { lacksOnlyCode } from './authentication-class.ts'
import { createConfirmationError } from './confirmation-error.ts'
import { findKnownPlaces } from './known-places.ts'
import { findMissingProofs, type GivenProof, type MissingProofKind } from './missing-proofs.ts'
import { findSignInPolicy, type StoredSignInPolicy } from './policy.records.ts'
import { readProofRules } from './proof-rules.ts'
import { describeFactorRule } from './resting-rights.ts'

/** What a request contains to prove the identity of its caller. */
export interface IdentityProofs {
  readonly password?: string | undefined
  readonly otp?: string | null | undefined
}

/**
 * Proves the identity of a user as they were read. It can run again after a conflict. What it uses up, it uses in the
 * transaction of its proof.
 */
type ProveIdentity = (user: UserRecord) => Promise<IdentityProof>

interface IdentityProof extends Proof {
  /** When the identity was proved, in epoch milliseconds. Default: now. */
  readonly at?: number
  /** What the session keeps of the proof that a code completes. */
  readonly kept?: Omit<SessionAuthentication, 'at' | 'methods' | 'isFactorRemembered'>
  readonly breach?: BreachFinding
  readonly policy: StoredSignInPolicy | undefined
}

/**
 * Checks what the caller sent, and stores with their session when and how they proved their identity. It takes what a sign-in would take
 * now, so the session has no fewer factors than a new one would have.
 *
 * @throws AppError `invalid_request` for a wrong or missing password, `login_incomplete` for a wrong or missing code, and for whatever
 *   else a sign-in would take: see `createConfirmationError`
 * @throws AppError `too_many_requests` after too many wrong passwords or codes
 */
export const reauthenticate = async (
  services: Services,
  { user, session }: SessionPrincipal,
  proofs: IdentityProofs,
  context: RequestContext,
): Promise<void> => {
  const prove = addsFactor(user, session, proofs)
    ? addFactor(services, session, proofs, context)
    : await chooseProof(services, user, proofs, context)
  await retryConflicts(async (attempt) => {
    const current = attempt === 1 ? user : await findUser(services.table, user.id)
    // The password was changed, or all sessions were ended, by another request.
    if (current?.credentialEpoch !== user.credentialEpoch) throw conflict(changedConcurrently)
    await storeProof(services, { user: current, session }, await prove(current), context)
  }, changedConcurrently)
}

/**
 * Whether a code alone makes the session one with two factors. The session then states both, and when it began as before: the code
 * does not count as a new proof of identity.
 */
const addsFactor = (user: UserRecord, { authentication }: SessionRecord, proofs: IdentityProofs): boolean =>
  proofs.password === undefined && Boolean(proofs.otp && user.totp) && lacksOnlyCode(authentication.methods)

const addFactor =
  (
    services: Services,
    { authentication }: SessionRecord,
    { otp }: IdentityProofs,
    context: RequestContext,
  ): ProveIdentity =>
  async (current) => {
    const proof = await proveSecondFactor(services, current, otp, context)
    // The second factor was turned off by another request.
    if (proof.methods.length === 0) throw conflict(changedConcurrently)
    const { at, isFactorRemembered: _, ...first } = authentication
    const completed = { ...first, methods: [...first.methods, ...proof.methods] }
    const policy = await findSignInPolicy(services.table)
    await requireNothingMissing(services, { user: current, policy }, completed)
    const { methods, ...kept } = completed
    return { ...proof, at, methods, kept, policy }
  }

export const changedConcurrently = 'The account was modified concurrently. Try again.'

/** Chooses the proof by the fields of the request. A password comes with the second factor of the user, if any. */
const chooseProof = async (
  services: Services,
  user: UserRecord,
  { password, otp }: IdentityProofs,
  context: RequestContext,
): Promise<ProveIdentity> => {
  if (user.passwordHash === null)
    throw new AppError('permission_denied', {
      detail:
        'This account has no password. Sign in again with your identity provider and `force_authn=true`.',
    })
  if (password === undefined) throw invalidRequest([{ field: 'password', message: 'is required' }])
  const policy = await findSignInPolicy(services.table)
  // Nothing that comes with the password replaces these, so it is not even looked at.
  await requireNothingMissing(services, { user, policy }, { methods: ['pwd'] }, [
    'required_connection',
    'passkey',
  ])
  // Other requests cannot change the password without changing the epoch, so one check is enough for all attempts.
  await requireCurrentPassword(services, user, { password, field: 'password' }, context)
  const breach = await lookUpAtSignIn(services, user, password)
  return async (current) => {
    const proof = await proveSecondFactor(services, current, otp, context)
    if (breach.isBreached) {
      if (proof.methods.length === 0) await requireOwnerOfBreached(services, context, current)
      await keepFinding(services, current, breach)
    }
    const methods = ['pwd' as const, ...proof.methods]
    const known = { user: current, policy, isPasswordBreached: breach.isBreached }
    await requireNothingMissing(services, known, { methods })
    return { ...proof, methods, breach, policy }
  }
}

interface KnownUser {
  readonly user: UserRecord
  readonly policy: StoredSignInPolicy | undefined
  readonly isPasswordBreached?: boolean
}

/**
 * Refuses a proof that would not sign in now. With `kinds`, only for what these name.
 *
 * @throws AppError `login_incomplete`
 */
const requireNothingMissing = async (
  services: Services,
  known: KnownUser,
  proof: GivenProof,
  kinds?: readonly MissingProofKind[],
): Promise<void> => {
  const missing = findMissingProofs(await readProofRules(services, known, proof), proof)
  const first = missing.find(({ kind }) => kinds?.includes(kind) ?? true)
  if (first) throw createConfirmationError(services, first)
}

const storeProof = (
  services: Services,
  { user, session }: { readonly user: UserRecord; readonly session: SessionRecord },
  { methods, use, extraSteps, kept, policy, breach = noFinding, at = services.now() }: IdentityProof,
  context: RequestContext,
): Promise<void> =>
  services.table.transact([
    buildUserStep(user, breach.fields, use ? [use.change] : [], () => new EditConflict()),
    buildAuthenticationStep(
      session,
      { authentication: { at, methods, ...kept }, ...describeFactorRule(policy) },
      () => new AppError('not_authenticated', { headers: { 'www-authenticate': 'Bearer' } }),
    ),
    auditStep(context, 'session.reauthenticated', { user: user.id, target: String(session.id) }),
    ...extraSteps,
  ])

interface GivenPassword {
  readonly password: string
  /** The name of the field that contains it. */
  readonly field: string
}

/**
 * Checks the current password of a signed-in user. Their session may be stolen, so guesses are limited and recorded.
 * Those of a thief elsewhere do not keep the user from entering it at a known place.
 *
 * @throws AppError `invalid_request` for a wrong password
 * @throws AppError `too_many_requests`
 */
export const requireCurrentPassword = async (
  services: Services,
  user: UserRecord,
  { password, field }: GivenPassword,
  context: RequestContext,
): Promise<void> => {
  const [place = 'unknown'] = findKnownPlaces(user, context)
  const refund = await consume(services, 'passwordConfirmations', `${user.id} ${place}`)
  if (await verifyPassword(password, user.passwordHash ?? undefined, services.config.passwordCost))
    return tryRefund(services, refund)
  await writeAudit(services, context, 'password.refused', { user: user.id, outcome: 'invalid_credentials' })
  throw invalidRequest([{ field, message: 'is not the current password' }])
}
