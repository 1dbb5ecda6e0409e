import { normalizeUsername } from '../../lib/accounts/common/names.ts'
import { auditRefusal } from '../../lib/accounts/common/refusal-audit.ts'
import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { retryConflicts } from '../../lib/accounts/common/retry-conflicts.ts'
import { rateLimited } from '../../lib/accounts/common/throttle.ts'
import { describeTriedUsername } from '../../lib/accounts/common/tried-username.ts'
import { toUserDetail } from '../../lib/accounts/directory/user-body.ts'
import { recognizeDevice } from '../../lib/accounts/sign-in/known-devices.ts'
import {
  buildGuardSteps,
  buildSuccessSteps,
  ConcurrentGuesses,
  isLocked,
  type LoginAttempt,
  recordFailure,
  startAttempt,
} from '../../lib/accounts/sign-in/login-guard.ts'
import { findSecondFactorDeadline } from '../../lib/accounts/sign-in/second-factor-policy.ts'
import { openSession } from '../../lib/accounts/sign-in/sessions.ts'
import { buildRedirect } from '../../lib/accounts/sign-in/start-page.ts'
import type { ServiceUserDetail } from '../../lib/contract/models/user-detail.ts'
import type { sessions } from '../../lib/contract/operations/sessions.ts'
import { AppError } from '../../lib/core/errors.ts'
import { memoize } from '../../lib/core/memoize.ts'
import { omitUndefined } from '../../lib/core/omit-undefined.ts'
import { buildSignInReply } from '../../lib/http/sign-in-reply.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { hashPassword, verifyPassword } from '../../lib/secrets/passwords.ts'
import { isGuestUser } from '../../lib/store/directory/guest-state.ts'
import { buildUserStep } from '../../lib/store/directory/user-step.ts'
import { findUser } from '../../lib/store/directory/users.ts'
import { EditConflict } from '../../lib/store/engine/transaction-errors.ts'
import type { UserRecord } from '../../lib/store/records/user-record.ts'
import { completeSignIn, isPlainSignIn, type LoginRequest } from './complete-sign-in.ts'

interface SignIn {
  readonly user: ServiceUserDetail
  readonly sessionKey: string
  readonly redirect?: string
}

/** Signs a user in with a password. Reports any other problem only after the password was right. */
export const login: UseCase<typeof sessions.login> = async ({ body, context, isFromOwnOrigin }, services) => {
  const { passwordCost } = services.config
  const request: LoginRequest = {
    services,
    context,
    body,
    verify: memoize((storedHash) => verifyPassword(body.password, storedHash, passwordCost)),
    hash: memoize((password) => hashPassword(password, passwordCost)),
  }
  // Read once: failures that are counted after this point stop the sign-in, in a retry as well.
  const attempt = await startAttempt(services, normalizeUsername(body.username), context).catch(
    (error: unknown) => auditRateLimit(request, error),
  )
  const signedIn = await retryConflicts(
    () => signIn(request, attempt),
    'The account kept changing while you signed in. Try again.',
  )
  return buildSignInReply(services.config, isFromOwnOrigin, signedIn)
}

/** Stores that the sign-in was refused unread. @throws the error itself */
const auditRateLimit = async ({ services, context, body }: LoginRequest, error: unknown): Promise<never> => {
  if (error instanceof AppError) {
    const username = describeTriedUsername(body.username, false)
    await auditRefusal(services, context, 'login.failed', omitUndefined({ username, outcome: error.code }))
  }
  throw error
}

/** @throws EditConflict when the account was changed, or the code was used, since they were read */
const signIn = async (request: LoginRequest, attempt: LoginAttempt): Promise<SignIn> => {
  const { services, verify } = request
  const user = await findUser(services.table, attempt.userId ?? noUserId)
  const isRight = await verify(user?.passwordHash ?? undefined)
  if (!user || !isRight || isGuestUser(user) || isLocked(services, attempt, user))
    throw await countFailure(request, attempt, user)
  return openPasswordSession(request, attempt, user)
}

/** User ID 0 never exists. Looking it up keeps the response time the same for unknown usernames. */
const noUserId = 0

/** The answer is the same for an unknown user, a guest, a wrong password, an account without one, and a locked one. */
const countFailure = async (
  { services, context, body }: LoginRequest,
  attempt: LoginAttempt,
  user: UserRecord | undefined,
): Promise<AppError> => {
  const username = describeTriedUsername(body.username, user !== undefined)
  await recordFailure(services, context, attempt, { user, username, outcome: 'invalid_credentials' })
  return attempt.networkWaitSeconds === undefined
    ? new AppError('login_failed', { reason: 'invalid_credentials' })
    : rateLimited(attempt.networkWaitSeconds)
}

/**
 * Completes the sign-in after a right password. Using the code, setting the new password and creating the session are
 * one transaction. Concurrent wrong guesses may use up the limit first: then this one fails like them.
 */
const openPasswordSession = async (
  request: LoginRequest,
  attempt: LoginAttempt,
  known: UserRecord,
): Promise<SignIn> => {
  const { services, context } = request
  const secondFactorDeadline = await findSecondFactorDeadline(services, attempt.policy, known)
  const passed = { user: known, secondFactorDeadline }
  const isPlain = isPlainSignIn(request, passed)
  const guard = buildGuardSteps(services, attempt, known, isPlain)
  try {
    // Any other answer than a session reveals that the password was right. So the guard must pass before.
    if (!isPlain) await services.table.transact(guard)
    const { methods, limits, fields, updates, extraSteps } = await completeSignIn(request, passed)
    const device = recognizeDevice(services, context, known)
    const allUpdates = [...updates, ...device.updates]
    const user = { ...known, ...fields }
    // Read before the write: an error after it would hide that the session was created.
    const detail = await toUserDetail(services.table, { ...user, lastSeenAt: services.now() })
    const userSteps =
      fields || allUpdates.length > 0
        ? [buildUserStep(known, fields ?? {}, allUpdates, () => new EditConflict())]
        : []
    const sessionKey = await openSession(services, user, context, {
      methods,
      limits,
      extraSteps: [
        ...(isPlain ? guard : buildSuccessSteps(services, attempt)),
        ...userSteps,
        ...extraSteps,
        ...device.extraSteps,
        auditStep(context, 'login.succeeded', { user: user.id, actor: user.id }),
      ],
    })
    return { user: detail, sessionKey, ...buildRedirect(services, known) }
  } catch (error) {
    throw error instanceof ConcurrentGuesses ? await countFailure(request, attempt, known) : error
  }
}
