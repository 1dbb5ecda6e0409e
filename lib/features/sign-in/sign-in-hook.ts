import { hasPermission } from '../../accounts/callers/permissions.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { countUse, tryRefund } from '../../accounts/callers/throttle.ts'
import { auditRefusedSignIn } from '../../accounts/events/refusals.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { buildAdministratorNoticeStep } from '../../accounts/outbox/security-notices.ts'
import type { AuthenticationMethod } from '../../accounts/sessions/stored-session.records.ts'
import { hasPasskeys } from '../../accounts/users/account-state.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import type { Services } from '../../services.ts'
import { callHook, HookFailed } from '../hooks/call-hook.ts'
import { describePerson, describeRequest } from '../hooks/hook-input.ts'
import { mintSecondFactorToken } from '../second-factor/tokens.ts'
import { readAfterSignInAnswer } from './after-sign-in-answer.ts'
import { createPasskeyRequiredError } from './limit-session.ts'

/* Load this file on demand, where `services.config.hooks` has `afterSignIn`. */

/** A sign-in to which nothing is missing but the answer of the product. */
interface CompleteProof {
  readonly user: UserRecord
  readonly methods: readonly AuthenticationMethod[]
  /** The way, as the audit event names it. A password has none. */
  readonly target: string | undefined
  /** Whether a remembered device did instead of the second factor. */
  readonly isFactorRemembered: boolean
}

/**
 * Asks the hook `afterSignIn` whether a person who proved who they are gets a session. It can only ask for more: everything that this
 * service needs was proved before.
 *
 * @throws AppError `login_incomplete` if it refuses, or asks for a second factor
 * @throws AppError `temporarily_unavailable` if it fails. Administrators with a strong proof go on then
 */
export const askAfterSignIn = (
  services: Services,
  context: RequestContext,
  proof: CompleteProof,
): Promise<void> =>
  auditRefusedSignIn(services, context, { user: proof.user.id }, async () => {
    const { user, methods, target = 'password', isFactorRemembered } = proof
    const [way = target] = target.split(':')
    try {
      const answer = await callHook(services, context, 'afterSignIn', {
        about: { userId: user.id },
        input: {
          user: describePerson(user),
          sign_in: { way, methods, is_factor_remembered: isFactorRemembered },
          request: describeRequest(context),
        },
        read: readAfterSignInAnswer,
      })
      if (answer.decision === 'refuse') throw createRefusal(answer.message)
      if (answer.decision === 'require_second_factor' && !isStrong([...strongMethods, 'mfa'], methods))
        throw await createFactorError(services, context, proof)
    } catch (error) {
      if (!(error instanceof HookFailed)) throw error
      await requireAdministrator(services, context, proof)
    }
  })

const createRefusal = (message: string | undefined): AppError =>
  new AppError('login_incomplete', {
    reason: 'sign_in_refused',
    detail: 'The product does not let this account sign in. Show `refusal` to the person, if it is there.',
    ...(message === undefined ? {} : { members: { refusal: message }, page: { refusal: message } }),
  })

/** What this service itself proves as a second factor. */
const strongMethods: readonly AuthenticationMethod[] = ['passkey', 'otp', 'recovery_code']

const isStrong = (
  strong: readonly AuthenticationMethod[],
  methods: readonly AuthenticationMethod[],
): boolean => methods.some((method) => strong.includes(method))

/** The answer by which a client continues with the second factor of the account. An account without one is refused. */
const createFactorError = async (
  services: Services,
  context: RequestContext,
  { user, methods, isFactorRemembered }: CompleteProof,
): Promise<AppError> => {
  // The code was left out only because of the device.
  if (user.totp && isFactorRemembered)
    return new AppError('login_incomplete', {
      reason: 'otp_required',
      detail: 'Send a code from the authenticator app or a recovery code as `otp`.',
    })
  if (!hasPasskeys(user)) return createRefusal(undefined)
  if (!methods.includes('pwd')) return createPasskeyRequiredError(user)
  return new AppError('login_incomplete', {
    reason: 'passkey_required',
    detail: 'Continue with a passkey: send `second_factor_token` to `start_passkey_login`.',
    members: { second_factor_token: await mintSecondFactorToken(services, context, user, undefined) },
  })
}

const retrySeconds = 5

/** Without an answer, only administrators go on, so that somebody can repair what is broken. Their proof has to be strong. */
const requireAdministrator = async (
  services: Services,
  context: RequestContext,
  { user, methods }: CompleteProof,
): Promise<void> => {
  const isAllowed =
    isStrong(strongMethods, methods) && (await hasPermission(services.table, user, 'system:admin-access'))
  if (!isAllowed)
    throw new AppError('temporarily_unavailable', {
      reason: 'hook_failed',
      detail:
        'The product did not say whether you may sign in. Nothing was changed. Wait the number of seconds in the Retry-After header, then try again.',
      headers: { 'retry-after': String(retrySeconds) },
    })
  await noteBypass(services, context, user)
}

/** Writes the event of a sign-in without the hook. The first one in an hour also sends all administrators an email. */
const noteBypass = async (
  services: Services,
  context: RequestContext,
  { id, username }: UserRecord,
): Promise<void> => {
  const { count, limit, refund } = await countUse(services, 'hookNotices', 'afterSignIn')
  const isFirst = count <= limit.max
  // Otherwise no email would follow as long as the hook fails.
  if (!isFirst) await tryRefund(services, refund)
  await services.table.transact([
    auditStep(context, 'hook.bypassed', { user: id, actor: id, target: 'afterSignIn' }),
    ...(isFirst ? [buildAdministratorNoticeStep(context, 'sign_in_hook_failed', username)] : []),
  ])
}
