import { rateLimited } from '../../accounts/callers/throttle.ts'
import { describeTriedUsername, normalizeUsername } from '../../accounts/names/names.ts'
import { buildOutboxStep } from '../../accounts/outbox/outbox.records.ts'
import { isActive } from '../../accounts/users/account-state.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import { isGuestUser } from '../../accounts/users/guest-state.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { readSignInBrowser } from '../../http/sign-in-browser.ts'
import { buildSignInReply } from '../../http/sign-in-reply.ts'
import type { UseCase } from '../../http/use-case.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { hashPassword, verifyPassword } from '../../kernel/secrets/passwords.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { memoize } from '../../kernel/util/work.ts'
import type { Services } from '../../services.ts'
import { consumeForNetwork } from '../network-limits/rules.ts'
import { lookUpAtSignIn, noFinding } from '../passwords/breach-at-sign-in.ts'
import {
  checkLegacyPassword,
  isPasswordElsewhere,
  takeOverPassword,
} from '../passwords/legacy/take-over-password.ts'
import { completeClientSignIn, retrySignIn, type SignInAnswer } from './complete-sign-in.ts'
import {
  buildPlainSuccessSteps,
  buildRightPasswordSteps,
  buildSuccessSteps,
  type CountedAttempt,
  countAttempt,
  isLocked,
  type LoginAttempt,
  recordFailure,
  startAttempt,
} from './login-guard.ts'
import type { sessions } from './operations.ts'
import { isPlainSignIn, type LoginRequest, provePasswordSignIn } from './password-sign-in.part.ts'
import { readProofRules } from './proof-rules.ts'
import { reauthenticate } from './reauthentication.ts'
import { findSignInRoute as findRoute } from './sign-in-route.ts'

/** Finds the identity provider that an address leads to. The request is counted before anything is looked up. */
export const findSignInRoute: UseCase<typeof sessions.findSignInRoute> = async (
  { body, context },
  services,
) => {
  const { proof, ...hints } = body
  await consumeForNetwork(services, 'signInRoutes', { context, device: context.device, proof })
  const route = await findRoute(services, hints)
  return {
    status: 200,
    body: { login_url: route?.url ?? null, offers_other_ways: route?.offersOtherWays ?? true },
  }
}

/** Signs a user in with a password. Reports any other problem only after the password was right. */
export const login: UseCase<typeof sessions.login> = async (sent, services) => {
  const { body, context, isFromOwnOrigin } = sent
  const { passwordCost } = services.config
  const request: LoginRequest = {
    services,
    context,
    body,
    browser: readSignInBrowser(services.config, sent, body),
    verify: memoize((storedHash) => verifyPassword(body.password, storedHash, passwordCost)),
    hash: memoize((password) => hashPassword(password, passwordCost)),
  }
  const started = await startAttempt(services, normalizeUsername(body.username), context)
  const known = await findUserOf(services, started)
  const attempt: PasswordAttempt = {
    counted: await countAttempt(services, started, known, context),
    isRightElsewhere: undefined,
    isRefunded: false,
  }
  const signedIn = await retrySignIn(async (round) =>
    signIn(request, attempt, round === 1 ? known : await findUserOf(services, started)),
  ).catch(async (error: unknown) => {
    // Nothing was stored after a conflict, or a refusal of the product, and the password was right.
    if (error instanceof AppError && (error.code === 'conflict' || isOfHook(error)))
      await refund(request, attempt)
    throw error
  })
  return buildSignInReply(services.config, { isFromOwnOrigin, context }, signedIn)
}

/** Whether the hook `afterSignIn` kept a session from being opened. */
const isOfHook = ({ details: { reason = '' } }: AppError): boolean =>
  ['sign_in_refused', 'hook_failed', 'otp_required', 'passkey_required'].includes(reason)

/** The attempt of a request. It is counted, checked by the old system, and refunded once, however often the sign-in is retried. */
interface PasswordAttempt {
  readonly counted: CountedAttempt
  /** What the old system answered. Undefined until it was asked. */
  isRightElsewhere: boolean | undefined
  isRefunded: boolean
}

/** User ID 0 never exists. Looking it up keeps the response time the same for unknown usernames. */
const noUserId = 0

const findUserOf = ({ table }: Services, { counts }: LoginAttempt): Promise<UserRecord | undefined> =>
  findUser(table, counts.userId ?? noUserId)

/** Refunds the attempt, which is then no guess at the password. The failures before it stay. */
const refund = async ({ services }: LoginRequest, attempt: PasswordAttempt): Promise<void> => {
  if (attempt.isRefunded) return
  attempt.isRefunded = true
  await services.table.transact(buildRightPasswordSteps(services, attempt.counted))
}

/** @throws EditConflict when the account was changed, or the code was used, since they were read */
const signIn = async (
  request: LoginRequest,
  attempt: PasswordAttempt,
  known: UserRecord | undefined,
): Promise<SignInAnswer> => {
  const { counted } = attempt
  const isRight = await request.verify(known?.passwordHash ?? undefined)
  const takenOver = known && (await findElsewhere(request, attempt, known))
  const user = takenOver ?? known
  if (!user || !(isRight || takenOver) || isGuestUser(user))
    throw await refusePassword(request, counted, user)
  if (isLocked(counted)) throw await refusePassword(request, counted, user, buildWayInStep(request, user))
  return openPasswordSession(request, attempt, user)
}

/**
 * Returns the user with the hash of their password, if the old system says that it is right. A locked account gets the answer
 * of a wrong password, so the old system is not asked. Without its answer, the attempt is no failure of the user. What exceeds
 * a limit stays counted.
 */
const findElsewhere = async (
  request: LoginRequest,
  attempt: PasswordAttempt,
  user: UserRecord,
): Promise<UserRecord | undefined> => {
  const { services, context, body, hash } = request
  if (isGuestUser(user) || isLocked(attempt.counted) || !isPasswordElsewhere(services, user)) return undefined
  attempt.isRightElsewhere ??= await checkLegacyPassword(services, context, user, body.password).catch(
    async (error: unknown) => {
      if (error instanceof AppError && error.code === 'temporarily_unavailable')
        await refund(request, attempt)
      throw error
    },
  )
  return attempt.isRightElsewhere
    ? takeOverPassword(services, context, user, await hash(body.password))
    : undefined
}

/** The answer is the same for an unknown user, a guest, a wrong password, an account without one, and a locked one. */
const refusePassword = async (
  { services, context, body }: LoginRequest,
  attempt: CountedAttempt,
  user: UserRecord | undefined,
  wayIn?: Step,
): Promise<AppError> => {
  const username = describeTriedUsername(body.username, { isKnown: user !== undefined })
  await recordFailure(services, context, attempt, { user, username, outcome: 'invalid_credentials', wayIn })
  return attempt.networkWaitSeconds === undefined
    ? new AppError('login_failed', { reason: 'invalid_credentials' })
    : rateLimited(attempt.networkWaitSeconds)
}

/** The right password of a locked account is answered by email, where only its owner sees it. */
const buildWayInStep = ({ services, context }: LoginRequest, { id }: UserRecord): Step =>
  buildOutboxStep({ kind: 'password_reset', userId: id, reason: 'sign_in_locked' }, context, services.now())

/**
 * Completes the sign-in after a right password. Using the code, setting the new password and creating the session are
 * one transaction.
 */
const openPasswordSession = async (
  request: LoginRequest,
  attempt: PasswordAttempt,
  known: UserRecord,
): Promise<SignInAnswer> => {
  const { services, context } = request
  const { counted } = attempt
  const rules = await readProofRules(services, { user: known, policy: counted.policy }, { methods: ['pwd'] })
  const isRefused = rules.requiredConnection || !isActive(known, services.now())
  const breach = isRefused ? noFinding : await lookUpAtSignIn(services, known, request.body.password)
  const passed = { user: known, breach, rules: { ...rules, isPasswordBreached: breach.isBreached } }
  const isPlain = isPlainSignIn(request, passed)
  // The password was right, so nothing that follows counts as a guess at it.
  if (!isPlain) await refund(request, attempt)
  const { methods, limits, fields, updates, extraSteps, device } = await provePasswordSignIn(request, passed)
  return completeClientSignIn(services, context, {
    user: known,
    methods,
    policy: counted.policy,
    fields,
    updates,
    device,
    session: limits,
    buildProofSteps: () => [
      ...(isPlain ? buildPlainSuccessSteps(services, counted) : buildSuccessSteps(services, counted)),
      ...extraSteps,
    ],
  })
}

/** Confirms the identity of the caller, so that their session may change credentials for a while. */
export const confirmIdentity: UseCase<typeof sessions.confirmIdentity> = async (
  { body, principal, context },
  services,
) => {
  await reauthenticate(services, principal, body, context)
  return { status: 204 }
}
