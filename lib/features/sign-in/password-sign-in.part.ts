import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { auditRefusedSignIn } from '../../accounts/events/refusals.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { buildSecurityNoticeStep } from '../../accounts/outbox/security-notices.ts'
import { buildUserLogoutSteps } from '../../accounts/sessions/logout-jobs.records.ts'
import type { AuthenticationMethod } from '../../accounts/sessions/stored-session.records.ts'
import { isActive, requireActiveAccount } from '../../accounts/users/account-state.ts'
import { buildNewPasswordChange, type UserUpdate } from '../../accounts/users/build-user-step.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import { type BreachFinding, keepFinding, requireOwnerOfBreached } from '../passwords/breach-at-sign-in.ts'
import { describePolicyFor, requireGoodPassword } from '../passwords/password-policy.ts'
import { proveSecondFactor } from '../second-factor/rules.ts'
import { mintSecondFactorToken } from '../second-factor/tokens.ts'
import type { DeviceChange, SignInBrowser } from './factor-memory.ts'
import { limitSession, type SessionLimits } from './limit-session.ts'
import { findMissingProofs, type MissingProof, type ProofRules } from './missing-proofs.ts'
import type { AuthLoginEndpointRequest } from './models.ts'
import { describeOffer, rememberFactor, useRememberedFactor } from './remembered-factor.ts'
import { createProviderRequiredError } from './required-sign-in.ts'

/** One request to sign in with a password. Hashes are computed once, because each takes a noticeable time. */
export interface LoginRequest {
  readonly services: Services
  readonly context: RequestContext
  readonly body: AuthLoginEndpointRequest
  readonly browser: SignInBrowser
  /** Whether the password of the request is the one behind a stored hash. */
  readonly verify: (storedHash: string | undefined) => Promise<boolean>
  readonly hash: (password: string) => Promise<string>
}

/** A sign-in with a right password. */
export interface PasswordSignIn {
  readonly user: UserRecord
  /** What the sign-in takes besides the password. */
  readonly rules: ProofRules
  /** Whether the password must be changed because it is in a data breach. */
  readonly breach: BreachFinding
}

const password = { methods: ['pwd'] } as const

/** What a sign-in changes besides creating a session. */
export interface PasswordProof {
  /** What the user proved. */
  readonly methods: readonly AuthenticationMethod[]
  readonly fields: Partial<UserRecord> | undefined
  readonly updates: readonly UserUpdate[]
  readonly extraSteps: readonly Step[]
  /** How the sign-in policy limits the session. */
  readonly limits: SessionLimits
  readonly device: DeviceChange | undefined
}

/** Whether a right password is all that this sign-in takes. */
export const isPlainSignIn = ({ services, body }: LoginRequest, { user, rules }: PasswordSignIn): boolean =>
  isActive(user, services.now()) && !body.new_password && findMissingProofs(rules, password).length === 0

/**
 * Checks everything besides the password: the account, the second factor and the new password. Records a refusal
 * with its reason.
 *
 * @throws AppError `login_incomplete`, `password_rejected`, `permission_denied` or `too_many_requests`
 */
export const provePasswordSignIn = async (
  request: LoginRequest,
  signIn: PasswordSignIn,
): Promise<PasswordProof> => {
  const { services, context, body } = request
  const { user, rules, breach } = signIn
  return auditRefusedSignIn(services, context, { user: user.id }, async () => {
    requireActiveAccount(user, services.now())
    const [first] = findMissingProofs(rules, password)
    if (first?.kind === 'required_connection') throw createProviderRequiredError(services, first.connection)
    const used = await findRememberedDevice(request, signIn, first)
    if (!used && canProvePasskey(request, first)) throw await requestPasskey(request, signIn, first)
    const { methods, use, extraSteps } = used
      ? { methods: [], extraSteps: [] }
      : await proveSecondFactor(services, user, body.otp, context, () => offerToRemember(request, signIn))
    const missing = findMissingProofs(rules, {
      methods: ['pwd', ...methods],
      ...(used ? { isFactorRemembered: true } : {}),
    })
    const [next] = missing
    // A code of the authenticator app does not replace the passkey.
    if (next?.kind === 'passkey') throw await requestPasskey(request, signIn, next)
    if (breach.isBreached && methods.length === 0) await requireOwnerOfBreached(services, context, user)
    const newHash = await hashNewPassword(request, signIn)
    const limits = limitSession(rules, missing, { wantsSetup: body.second_factor_setup ?? false })
    const fields = newHash
      ? buildNewPasswordChange(user, newHash, services.now())
      : findOwnChange({ ...breach.fields, ...(await renewHash(request, user)) })
    const asked = { ...toAsked(request, signIn), changedUser: { ...user, ...fields }, methods }
    return {
      limits,
      methods: ['pwd', ...methods],
      device: used ?? (await rememberFactor(services, context, asked)),
      fields,
      updates: use ? [use.change] : [],
      extraSteps: newHash
        ? [
            ...extraSteps,
            ...buildUserLogoutSteps(user),
            auditStep(context, 'password.changed', { user: user.id, actor: user.id }),
            ...buildSecurityNoticeStep(services, context, user, { kind: 'password_changed' }),
          ]
        : extraSteps,
    }
  })
}

const toAsked = ({ browser }: LoginRequest, { user, rules: { policy } }: PasswordSignIn) => ({
  user,
  policy,
  browser,
})

/**
 * Finds the remembered device that does instead of a second factor. Not for someone who sends a factor, or sets a new password: this
 * needs as much as at any other time.
 */
const findRememberedDevice = async (
  request: LoginRequest,
  signIn: PasswordSignIn,
  first: MissingProof | undefined,
): Promise<DeviceChange | undefined> => {
  const { services, context, body } = request
  const { user, breach } = signIn
  const isAsked = first?.kind === 'code' || first?.kind === 'passkey'
  const needsNewPassword = user.password_change_required || breach.isBreached
  if (!isAsked || body.otp?.trim() || body.new_password || needsNewPassword) return undefined
  return useRememberedFactor(services, context, toAsked(request, signIn))
}

const offerToRemember = (request: LoginRequest, signIn: PasswordSignIn) =>
  describeOffer(request.services, toAsked(request, signIn))

/** Whether a passkey can or must be the second factor. A user with an authenticator app may send its code instead. */
const canProvePasskey = ({ body }: LoginRequest, first: MissingProof | undefined): boolean => {
  const hasCode = Boolean(body.otp?.trim())
  if (first?.kind === 'code') return first.canBePasskey && !hasCode
  // A recovery code is sent together with the wish to add a new passkey.
  return first?.kind === 'passkey' && !(first.canBeRecovered && hasCode && body.second_factor_setup)
}

/**
 * Builds the answer by which a client continues with a passkey. A new password comes first, because the operation that
 * continues takes no passwords.
 */
const requestPasskey = async (
  request: LoginRequest,
  signIn: PasswordSignIn,
  first: MissingProof | undefined,
): Promise<AppError> => {
  const { services, context } = request
  const { user } = signIn
  const newHash = await hashNewPassword(request, signIn)
  // Proves that the password was right.
  const members = {
    second_factor_token: await mintSecondFactorToken(services, context, user, newHash),
    ...(await offerToRemember(request, signIn)),
  }
  return first?.kind === 'code'
    ? new AppError('login_incomplete', {
        reason: 'otp_required',
        detail:
          'Send a code from the authenticator app or a recovery code as `otp`, or continue with a passkey.',
        members,
      })
    : new AppError('login_incomplete', {
        reason: 'passkey_required',
        detail: 'Continue with a passkey: send `second_factor_token` to `start_passkey_login`.',
        members,
      })
}

/** The hash of the new password, or undefined when none was sent and none is required. */
const hashNewPassword = async (
  { services, hash, body: { password, new_password: newPassword } }: LoginRequest,
  { user, breach }: PasswordSignIn,
): Promise<string | undefined> => {
  const { isBreached } = breach
  if (!newPassword) {
    if (!user.password_change_required && !isBreached) return undefined
    if (isBreached) await keepFinding(services, user, breach)
    throw new AppError('login_incomplete', {
      reason: 'password_change_required',
      detail: `${isBreached ? 'The password was found in a data breach of another service. ' : ''}Choose a new password: send the same request again with new_password.`,
      members: {
        password_policy: await describePolicyFor(services, user),
        ...(isBreached ? { is_password_breached: true } : {}),
      },
    })
  }
  requireChangeablePassword(user, isBreached)
  if (newPassword.normalize('NFC') === password.normalize('NFC'))
    throw new AppError('password_rejected', {
      errors: [
        {
          field: 'new_password',
          message: 'The new password must differ from the old one.',
          code: 'same_password',
        },
      ],
    })
  await requireGoodPassword(services, newPassword, user, 'new_password')
  return hash(newPassword)
}

/** Undefined if nothing changes, because a sign-in that changes nothing takes no write of the user. */
const findOwnChange = (fields: Partial<UserRecord>): Partial<UserRecord> | undefined =>
  Object.keys(fields).length > 0 ? fields : undefined

/** Replaces a hash of an outdated form or cost by a new hash of the same password. */
const renewHash = async ({ services, hash, body }: LoginRequest, { passwordHash }: UserRecord) => {
  // Checking the password has loaded it.
  const { needsRehash } = await import('../../kernel/secrets/password-hashes.ts')
  return passwordHash !== null && needsRehash(passwordHash, services.config.passwordCost)
    ? { passwordHash: await hash(body.password) }
    : undefined
}

/** A forced change is allowed even if voluntary changes are disabled. */
const requireChangeablePassword = (user: UserRecord, isBreached: boolean): void => {
  if (!user.allow_changing_password && !user.password_change_required && !isBreached)
    throw new AppError('permission_denied', {
      detail: 'Users cannot change the password of this account.',
    })
}
