import { requireActiveAccount } from '../../lib/accounts/common/active-user.ts'
import { auditRefusedSignIn } from '../../lib/accounts/common/refused-sign-in.ts'
import { auditStep, type RequestContext } from '../../lib/accounts/common/request-context.ts'
import { retryConflicts } from '../../lib/accounts/common/retry-conflicts.ts'
import { buildSecurityNoticeStep } from '../../lib/accounts/common/security-notices.ts'
import { toUserDetail } from '../../lib/accounts/directory/user-body.ts'
import { canHavePasskeys } from '../../lib/accounts/passkeys/passkey-rights.ts'
import { type PasskeyProof, provePasskey } from '../../lib/accounts/passkeys/prove-passkey.ts'
import { recordRefusal } from '../../lib/accounts/passkeys/record-refusal.ts'
import { PasskeyRefused } from '../../lib/accounts/passkeys/refusal.ts'
import { recognizeDevice } from '../../lib/accounts/sign-in/known-devices.ts'
import { openSession } from '../../lib/accounts/sign-in/sessions.ts'
import { buildRedirect } from '../../lib/accounts/sign-in/start-page.ts'
import type { passkeys } from '../../lib/contract/operations/passkeys.ts'
import { buildSignInReply } from '../../lib/http/sign-in-reply.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import type { Services } from '../../lib/services.ts'
import { buildNewPasswordChange, buildUserStep } from '../../lib/store/directory/user-step.ts'
import type { Step } from '../../lib/store/engine/transaction.ts'
import { EditConflict } from '../../lib/store/engine/transaction-errors.ts'
import { buildUserLogoutSteps } from '../../lib/store/records/logout-job-record.ts'
import type { SecondFactorTokenRecord } from '../../lib/store/records/second-factor-token-record.ts'
import type { UserRecord } from '../../lib/store/records/user-record.ts'
import { buildUseSecondFactorTokenStep } from '../../lib/store/sign-in/second-factor-tokens.ts'
import { buildLoginBinding, requireSecondFactorToken } from './login-binding.ts'

/** Signs a user in with a passkey: alone if it verified the user, or as the second factor after a right password. */
export const loginWithPasskey: UseCase<typeof passkeys.loginWithPasskey> = async (
  { body, context, isFromOwnOrigin },
  services,
) => {
  const attempt = async () => {
    const token = (await requireSecondFactorToken(services, context, body.second_factor_token))?.token
    const proof = await provePasskey(services, context, {
      credential: body.credential,
      binding: buildLoginBinding(token),
      // Without a password, the passkey has to be two factors.
      requiresVerification: !token || services.config.passkeys.userVerification === 'required',
    })
    return openPasskeySession(services, context, proof, token)
  }
  try {
    const signedIn = await retryConflicts(
      attempt,
      'The account kept changing while you signed in. Try again.',
    )
    return buildSignInReply(services.config, { isFromOwnOrigin, context }, signedIn)
  } catch (error) {
    throw error instanceof PasskeyRefused ? await recordRefusal(services, context, error) : error
  }
}

/**
 * Opens the session. Using the challenge, storing the counter, setting a new password and creating the session are one
 * transaction, so one answer of a passkey opens one session.
 */
const openPasskeySession = async (
  services: Services,
  context: RequestContext,
  { user: known, passkey, steps }: PasskeyProof,
  token: SecondFactorTokenRecord | undefined,
) => {
  await requireSignInAllowed(services, context, known)
  const refuse = () => new PasskeyRefused('passkey_invalid', known.id)
  // The user was read again after the token. The password may have changed in between.
  if (token && token.credentialEpoch !== known.credentialEpoch) throw refuse()
  const { fields, newPasswordSteps } = buildNewPassword(services, context, known, token)
  const user = { ...known, ...fields }
  const device = recognizeDevice(services, context, known)
  // Read before the write: an error after it would hide that the session was created.
  const detail = await toUserDetail(services.table, { ...user, lastSeenAt: services.now() })
  const sessionKey = await openSession(services, user, context, {
    methods: token ? ['pwd', 'passkey'] : ['passkey'],
    extraSteps: [
      ...steps,
      ...(token ? [buildUseSecondFactorTokenStep(token, refuse)] : []),
      ...(Object.keys(fields).length > 0 || device.updates.length > 0
        ? [buildUserStep(known, fields, device.updates, () => new EditConflict())]
        : []),
      ...newPasswordSteps,
      ...device.extraSteps,
      auditStep(context, 'login.succeeded', {
        user: user.id,
        actor: user.id,
        target: `passkey:${passkey.id}`,
      }),
    ],
  })
  return { user: detail, sessionKey, ...buildRedirect(services, known) }
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
): Promise<void> => {
  if (!canHavePasskeys(user)) throw new PasskeyRefused('passkey_invalid', user.id)
  await auditRefusedSignIn(services, context, { user: user.id }, () =>
    requireActiveAccount(user, services.now()),
  )
}

/** The new password that was sent with the right one, and the steps that its change takes. */
const buildNewPassword = (
  services: Services,
  context: RequestContext,
  user: UserRecord,
  token: SecondFactorTokenRecord | undefined,
): { readonly fields: Partial<UserRecord>; readonly newPasswordSteps: readonly Step[] } => {
  if (token?.newPasswordHash === undefined) return { fields: {}, newPasswordSteps: [] }
  return {
    fields: buildNewPasswordChange(user, token.newPasswordHash, services.now()),
    newPasswordSteps: [
      ...buildUserLogoutSteps(user),
      auditStep(context, 'password.changed', { user: user.id, actor: user.id }),
      ...buildSecurityNoticeStep(services, context, user, { kind: 'password_changed' }),
    ],
  }
}
