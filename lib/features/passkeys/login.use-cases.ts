import type { SessionPrincipal } from '../../accounts/callers/principal.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { auditRefusedSignIn } from '../../accounts/events/refusals.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { buildSecurityNoticeStep } from '../../accounts/outbox/security-notices.ts'
import { buildUserLogoutSteps } from '../../accounts/sessions/logout-jobs.records.ts'
import type { AuthenticationMethod } from '../../accounts/sessions/stored-session.records.ts'
import { buildAuthenticationStep } from '../../accounts/sessions/write-sessions.records.ts'
import { requireActiveAccount } from '../../accounts/users/account-state.ts'
import { buildNewPasswordChange } from '../../accounts/users/build-user-step.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { readSignInBrowser } from '../../http/sign-in-browser.ts'
import { buildSignInReply } from '../../http/sign-in-reply.ts'
import type { UseCase } from '../../http/use-case.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import {
  buildUseSecondFactorTokenStep,
  type SecondFactorTokenRecord,
} from '../second-factor/tokens.records.ts'
import { findSecondFactorToken } from '../second-factor/tokens.ts'
import { completeClientSignIn, retrySignIn, type SignInAnswer } from '../sign-in/complete-sign-in.ts'
import { createConfirmationError } from '../sign-in/confirmation-error.ts'
import type { SignInBrowser } from '../sign-in/factor-memory.ts'
import { findMissingProofs } from '../sign-in/missing-proofs.ts'
import type { StoredSignInPolicy } from '../sign-in/policy.records.ts'
import { readProofRules } from '../sign-in/proof-rules.ts'
import { rememberFactor } from '../sign-in/remembered-factor.ts'
import { describeFactorRule } from '../sign-in/resting-rights.ts'
import { type ChallengeBinding, mintChallenge } from './challenges.ts'
import type { passkeys } from './operations.ts'
import { buildRequestOptions } from './options.ts'
import { canHavePasskeys } from './passkey-rights.ts'
import { type PasskeyProof, provePasskey } from './prove-passkey.ts'
import { buildPasskeyStateStep, buildUnchangedUpdate, findPasskeys } from './records.ts'
import { PasskeyRefused, recordRefusal } from './refusal.ts'

/**
 * Starts a sign-in with a passkey. Without a token, the answer is the same for everyone and names no passkeys. With the
 * token of a right password, it names those of the user.
 */
export const startPasskeyLogin: UseCase<typeof passkeys.startPasskeyLogin> = async (
  { body, context },
  services,
) => {
  const settings = services.config.passkeys
  const found = await requireSecondFactorToken(services, context, body.second_factor_token)
  const challenge = await mintChallenge(services, context, buildLoginBinding(found?.token), body.proof)
  const stored = found ? await findPasskeys(services.table, found.user.id) : []
  const allowed = stored.filter(({ isUnproven }) => !isUnproven)
  const userVerification = found ? settings.userVerification : 'required'
  return { status: 200, body: buildRequestOptions(settings, { challenge, userVerification, allowed }) }
}

/** Signs a user in with a passkey: alone if it verified the user, or as the second factor after a right password. */
export const loginWithPasskey: UseCase<typeof passkeys.loginWithPasskey> = async (sent, services) => {
  const { body, context, isFromOwnOrigin } = sent
  const browser = readSignInBrowser(services.config, sent, body)
  const attempt = async () => {
    const token = (await requireSecondFactorToken(services, context, body.second_factor_token))?.token
    const proof = await provePasskey(services, context, {
      credential: body.credential,
      binding: buildLoginBinding(token),
      // Without a password, the passkey has to be two factors.
      requiresVerification: !token || services.config.passkeys.userVerification === 'required',
    })
    return signInWithPasskey(services, context, proof, { token, browser })
  }
  try {
    const signedIn = await retrySignIn(attempt)
    return buildSignInReply(services.config, { isFromOwnOrigin, context }, signedIn)
  } catch (error) {
    throw error instanceof PasskeyRefused ? await recordRefusal(services, context, error) : error
  }
}

interface PasskeyRequest {
  readonly token: SecondFactorTokenRecord | undefined
  readonly browser: SignInBrowser
}

/** Uses the challenge, stores the counter and sets the new password together with the session. */
const signInWithPasskey = async (
  services: Services,
  context: RequestContext,
  { user, passkey, policy, steps, state }: PasskeyProof,
  { token, browser }: PasskeyRequest,
): Promise<SignInAnswer> => {
  await requireSignInAllowed(services, context, user, policy)
  const refuse = () => new PasskeyRefused('passkey_invalid', user.id)
  // The user was read again after the token. The password may have changed in between.
  if (token && token.credentialEpoch !== user.credentialEpoch) throw refuse()
  // Who knew the password may have added it, so it proves nothing beside the password.
  if (token && passkey.isUnproven) throw refuse()
  const { fields, newPasswordSteps } = buildNewPassword(services, context, user, token)
  const methods: readonly AuthenticationMethod[] = token ? ['pwd', 'passkey'] : ['passkey']
  const asked = { user, policy, browser, methods, changedUser: { ...user, ...fields } }
  return completeClientSignIn(services, context, {
    user,
    fields: state ? { ...fields, passkeys: state } : fields,
    updates: state ? [buildUnchangedUpdate(user)] : [],
    methods,
    policy,
    target: `passkey:${passkey.id}`,
    // A passkey alone asks for no second factor, so there is none to do without.
    device: token ? await rememberFactor(services, context, asked) : undefined,
    buildProofSteps: () => [
      ...steps,
      ...(token ? [buildUseSecondFactorTokenStep(token, refuse)] : []),
      ...newPasswordSteps,
    ],
  })
}

/**
 * A password that must be changed does not keep a passkey from signing in, because no password was used.
 *
 * @throws AppError `login_incomplete`, also for the audit log
 */
const requireSignInAllowed = async (
  services: Services,
  context: RequestContext,
  user: UserRecord,
  policy: StoredSignInPolicy | undefined,
): Promise<void> => {
  if (!canHavePasskeys(user)) throw new PasskeyRefused('passkey_invalid', user.id)
  await auditRefusedSignIn(services, context, { user: user.id }, () => {
    requireActiveAccount(user, services.now())
    return requireNothingMissing(services, user, policy)
  })
}

/**
 * A passkey is two factors, but does not replace the sign-in that a company requires.
 *
 * @throws AppError `login_incomplete` with `sso_required`
 */
const requireNothingMissing = async (
  services: Services,
  user: UserRecord,
  policy: StoredSignInPolicy | undefined,
): Promise<void> => {
  const proof = { methods: ['passkey'] } as const
  const [missing] = findMissingProofs(await readProofRules(services, { user, policy }, proof), proof)
  if (missing) throw createConfirmationError(services, missing)
}

/** The new password that was sent with the right one, and the steps that its change takes. */
const buildNewPassword = (
  services: Services,
  context: RequestContext,
  user: UserRecord,
  token: SecondFactorTokenRecord | undefined,
): { readonly fields?: Partial<UserRecord>; readonly newPasswordSteps: readonly Step[] } => {
  if (token?.newPasswordHash === undefined) return { newPasswordSteps: [] }
  return {
    fields: buildNewPasswordChange(user, token.newPasswordHash, services.now()),
    newPasswordSteps: [
      ...buildUserLogoutSteps(user),
      auditStep(context, 'password.changed', { user: user.id, actor: user.id }),
      ...buildSecurityNoticeStep(services, context, user, { kind: 'password_changed' }),
    ],
  }
}

/** A challenge after a password belongs to the token of that password. Otherwise, anyone may answer it. */
export const buildLoginBinding = (token: SecondFactorTokenRecord | undefined): ChallengeBinding =>
  token
    ? { purpose: 'second_factor', userId: token.userId, holder: token.hash }
    : { purpose: 'sign_in', userId: null, holder: null }

/**
 * Finds the token of a right password and its user. Returns undefined if none was sent.
 *
 * @throws AppError `login_failed` if the token does not work
 */
export const requireSecondFactorToken = async (
  services: Services,
  context: RequestContext,
  value: string | undefined,
): ReturnType<typeof findSecondFactorToken> => {
  if (value === undefined) return undefined
  const found = await findSecondFactorToken(services, context, value)
  if (found) return found
  throw await recordRefusal(services, context, new PasskeyRefused('passkey_invalid'))
}

const buildBinding = ({ user, hash }: SessionPrincipal): ChallengeBinding => ({
  purpose: 'reauthenticate',
  userId: user.id,
  holder: hash,
})

/** Starts a new proof of identity in the session of the caller. */
export const startPasskeyReauthentication: UseCase<typeof passkeys.startPasskeyReauthentication> = async (
  { principal, context },
  services,
) => {
  const challenge = await mintChallenge(services, context, buildBinding(principal))
  const allowed = await findPasskeys(services.table, principal.user.id)
  const settings = services.config.passkeys
  const body = buildRequestOptions(settings, { challenge, userVerification: 'required', allowed })
  return { status: 200, body }
}

/** Proves the identity of the caller with one of their passkeys, which must verify them. */
export const reauthenticateWithPasskey: UseCase<typeof passkeys.reauthenticateWithPasskey> = async (
  { body, principal, context },
  services,
) => {
  try {
    await retryConflicts(async () => {
      const { user, session } = principal
      const proven = await provePasskey(services, context, {
        credential: body.credential,
        binding: buildBinding(principal),
        requiresVerification: true,
      })
      const { steps } = proven
      if (!canHavePasskeys(proven.user)) throw new PasskeyRefused('passkey_invalid', user.id)
      await requireNothingMissing(services, proven.user, proven.policy)
      await services.table.transact([
        ...steps,
        ...(proven.state ? [buildPasskeyStateStep(proven.user, proven.state)] : []),
        buildAuthenticationStep(
          session,
          {
            authentication: { at: services.now(), methods: ['passkey'] },
            ...describeFactorRule(proven.policy),
          },
          sessionEnded,
        ),
        auditStep(context, 'session.reauthenticated', { user: user.id, target: String(session.id) }),
      ])
    }, 'The passkey kept changing. Try again.')
    return { status: 204 }
  } catch (error) {
    throw error instanceof PasskeyRefused ? await recordRefusal(services, context, error) : error
  }
}

const sessionEnded = () => new AppError('not_authenticated', { headers: { 'www-authenticate': 'Bearer' } })
