import { AppError, conflict, invalidRequest } from '../../kernel/errors/errors.ts'
import { verifyPassword } from '../../kernel/secrets/passwords.ts'
import { EditConflict } from '../../kernel/table/transaction.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import type { SessionPrincipal } from '../access/principal.ts'
import type { RequestContext } from '../access/request-context.ts'
import { retryConflicts } from '../access/retry-conflicts.ts'
import { consume, tryRefund } from '../access/throttle.ts'
import { auditStep, writeAudit } from '../audit/write-event.ts'
import { hasPasskeys, requiresPasskey } from '../directory/account-state.ts'
import type { UserRecord } from '../directory/user.records.ts'
import { buildUserStep } from '../directory/user-step.records.ts'
import { findUser } from '../directory/users.records.ts'
import { acceptsOnlyPasskey } from '../second-factor/policy.ts'
import { type Proof, proveSecondFactor } from '../second-factor/rules.ts'
import { lacksOnlyCode } from './authentication-class.ts'
import { findKnownPlaces } from './known-places.ts'
import { findSignInPolicy } from './policy.records.ts'
import type { SessionAuthentication, SessionRecord } from './session.records.ts'
import { buildAuthenticationStep } from './sessions.records.ts'

/** What a request contains to prove the identity of its caller. */
export interface IdentityProofs {
  readonly password?: string | undefined
  readonly otp?: string | null | undefined
}

/**
 * Proves the identity of a user as they were read. It can run again after a conflict. What it uses up, it uses in the
 * transaction of its proof.
 */
type ProveIdentity = (
  user: UserRecord,
) => Promise<Proof & Partial<Pick<SessionAuthentication, 'at' | 'isTimeUnknown'>>>

/**
 * Checks what the caller sent, and stores with their session when and how they proved their identity.
 *
 * @throws AppError `invalid_request` for a wrong or missing password, `login_incomplete` for a wrong or missing code
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
    const { at, isTimeUnknown } = authentication
    return {
      ...{ ...proof, at, methods: [...authentication.methods, ...proof.methods] },
      ...omitUndefined({ isTimeUnknown }),
    }
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
  await requireNoPasskey(services, user)
  // Other requests cannot change the password without changing the epoch, so one check is enough for all attempts.
  await requireCurrentPassword(services, user, { password, field: 'password' }, context)
  return async (current) => {
    const proof = await proveSecondFactor(services, current, otp, context)
    return { ...proof, methods: ['pwd', ...proof.methods] }
  }
}

/**
 * A password proves no more here than at the sign-in.
 *
 * @throws AppError `login_incomplete` for a user whose password also requires a passkey, or does not sign in
 */
const requireNoPasskey = async ({ table }: Services, user: UserRecord): Promise<void> => {
  const isRequired = requiresPasskey(user) && !user.totp
  if (isRequired || (hasPasskeys(user) && acceptsOnlyPasskey(await findSignInPolicy(table), user)))
    throw new AppError('login_incomplete', {
      reason: 'passkey_required',
      detail: 'Confirm your identity with `reauthenticate_with_passkey`.',
    })
}

const storeProof = (
  services: Services,
  { user, session }: { readonly user: UserRecord; readonly session: SessionRecord },
  { methods, use, extraSteps, at = services.now(), isTimeUnknown }: Awaited<ReturnType<ProveIdentity>>,
  context: RequestContext,
): Promise<void> =>
  services.table.transact([
    buildUserStep(user, {}, use ? [use.change] : [], () => new EditConflict()),
    buildAuthenticationStep(
      session,
      { at, methods, ...omitUndefined({ isTimeUnknown }) },
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
