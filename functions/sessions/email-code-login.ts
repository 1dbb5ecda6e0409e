import { countFailedLookup } from '../../lib/accounts/common/lookup-throttle.ts'
import { auditRefusedSignIn } from '../../lib/accounts/common/refused-sign-in.ts'
import { auditStep, type RequestContext, writeAudit } from '../../lib/accounts/common/request-context.ts'
import { retryConflicts } from '../../lib/accounts/common/retry-conflicts.ts'
import { toUserDetail } from '../../lib/accounts/directory/user-body.ts'
import { guessCode, type ProvenCode } from '../../lib/accounts/email-codes/email-codes.ts'
import { recognizeDevice } from '../../lib/accounts/sign-in/known-devices.ts'
import { proveSecondFactor } from '../../lib/accounts/sign-in/second-factor.ts'
import { findSecondFactorDeadline, limitSession } from '../../lib/accounts/sign-in/second-factor-policy.ts'
import { openSession } from '../../lib/accounts/sign-in/sessions.ts'
import { buildRedirect } from '../../lib/accounts/sign-in/start-page.ts'
import type { EmailCodeLoginRequest } from '../../lib/contract/models/email-codes.ts'
import type { sessions } from '../../lib/contract/operations/sessions.ts'
import { AppError } from '../../lib/errors/errors.ts'
import { buildSignInReply } from '../../lib/http/sign-in-reply.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import type { Services } from '../../lib/services.ts'
import { findSignInPolicy } from '../../lib/store/directory/sign-in-policy.ts'
import { buildUserStep } from '../../lib/store/directory/user-step.ts'
import { findUser } from '../../lib/store/directory/users.ts'
import { EditConflict } from '../../lib/store/engine/transaction-errors.ts'
import { buildUseCodeStep } from '../../lib/store/sign-in/email-codes.ts'

/** Signs a user in with an emailed code and the request that the code belongs to. */
export const loginWithEmailCode: UseCase<typeof sessions.loginWithEmailCode> = async (
  { body, context, isFromOwnOrigin },
  services,
) => {
  const { record, proven } = await guessCode(services, body.request_id, body.code)
  // Values of requests cannot be guessed. Only a flood of them is limited.
  if (!record) await countFailedLookup(services, context)
  if (!proven) throw await refuse(services, context, record?.code?.userId)
  const signedIn = await retryConflicts(
    (attempt) => openCodeSession(services, context, body, proven, attempt),
    'The account kept changing while you signed in. Try again.',
  )
  return buildSignInReply(services.config, { isFromOwnOrigin, context }, signedIn)
}

/** The answer and the work are the same for a wrong code and for an account that does not exist. */
const refuse = async (
  services: Services,
  context: RequestContext,
  userId: number | undefined,
): Promise<AppError> => {
  await writeAudit(services, context, 'login.failed', { user: userId ?? null, outcome: 'email_code_invalid' })
  return createCodeError()
}

const createCodeError = (): AppError =>
  new AppError('login_failed', {
    reason: 'email_code_invalid',
    detail: 'The code is wrong, used, or expired, or there were too many attempts. Request a new code.',
  })

/**
 * Opens the session after a right code. Using the code, using the second factor and creating the session are one
 * transaction, so one code opens one session. A refusal leaves the code valid.
 *
 * @throws AppError `login_incomplete`, also for the audit log
 */
const openCodeSession = async (
  services: Services,
  context: RequestContext,
  body: EmailCodeLoginRequest,
  { hash, code, user: proven }: ProvenCode,
  attempt: number,
) => {
  const { table, now } = services
  const user = attempt === 1 ? proven : await findUser(table, proven.id)
  const policy = await findSignInPolicy(table)
  const isUnchanged =
    user?.credentialEpoch === code.credentialEpoch && user.normalizedEmail === code.normalizedEmail
  if (!isUnchanged || !policy?.policy.allowEmailCodes) throw await refuse(services, context, proven.id)
  return auditRefusedSignIn(services, context, { user: user.id }, async () => {
    const { methods, use, extraSteps } = await proveSecondFactor(services, user, body.otp, context)
    const deadline = await findSecondFactorDeadline(services, policy, user)
    const limits = limitSession(services, deadline, body.second_factor_setup ?? false)
    const device = recognizeDevice(services, context, user)
    const updates = [...(use ? [use.change] : []), ...device.updates]
    // Read before the write: an error after it would hide that the session was created.
    const detail = await toUserDetail(table, { ...user, lastSeenAt: now() })
    const sessionKey = await openSession(services, user, context, {
      methods: ['email_code', ...methods],
      limits,
      extraSteps: [
        buildUseCodeStep(hash, code, createCodeError),
        ...(updates.length > 0 ? [buildUserStep(user, {}, updates, () => new EditConflict())] : []),
        ...extraSteps,
        ...device.extraSteps,
        auditStep(context, 'login.succeeded', { user: user.id, actor: user.id, target: 'email_code' }),
      ],
    })
    return { user: detail, sessionKey, ...buildRedirect(services, user) }
  })
}
