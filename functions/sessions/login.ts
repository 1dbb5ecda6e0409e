import { isActive } from '../../lib/accounts/common/active-user.ts'
import { resolveDestination } from '../../lib/accounts/common/destinations.ts'
import { normalizeUsername } from '../../lib/accounts/common/names.ts'
import { auditStep, type RequestContext } from '../../lib/accounts/common/request-context.ts'
import { toUserDetail } from '../../lib/accounts/directory/user-body.ts'
import { requireGoodPassword } from '../../lib/accounts/passwords/password-policy.ts'
import {
  buildGuardSteps,
  isLocked,
  type LoginAttempt,
  recordFailure,
  rememberAddress,
  startAttempt,
} from '../../lib/accounts/sign-in/login-guard.ts'
import { proveSecondFactor } from '../../lib/accounts/sign-in/second-factor.ts'
import { openSession } from '../../lib/accounts/sign-in/sessions.ts'
import type { AuthLoginEndpointRequest } from '../../lib/contract/models/login.ts'
import type { ServiceUserDetail } from '../../lib/contract/models/user-detail.ts'
import type { sessions } from '../../lib/contract/operations/sessions.ts'
import { AppError } from '../../lib/core/errors.ts'
import { buildSessionCookie } from '../../lib/http/session-cookie.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { hashPassword, needsRehash, verifyPassword } from '../../lib/secrets/passwords.ts'
import type { Services } from '../../lib/services.ts'
import { buildUserStep, newPasswordChange } from '../../lib/store/directory/user-step.ts'
import { findUser } from '../../lib/store/directory/users.ts'
import type { Update } from '../../lib/store/engine/expressions.ts'
import type { Step } from '../../lib/store/engine/transaction.ts'
import { ConditionFailed } from '../../lib/store/engine/transaction-errors.ts'
import type { UserRecord } from '../../lib/store/records/user-record.ts'

/** Signs a user in with a password. Whatever is wrong is told only once the password was right. */
export const login: UseCase<typeof sessions.login> = (request, services) => signIn(request, services, 5)

const signIn = async (
  request: Parameters<typeof login>[0],
  services: Services,
  tries: number,
): ReturnType<typeof login> => {
  const { body, context, isFromOwnOrigin } = request
  const attempt = await startAttempt(services, normalizeUsername(body.username), context)
  const known = await findUser(services.table, attempt.userId ?? nobody)
  const isRight = await verifyPassword(
    body.password,
    known?.passwordHash ?? undefined,
    services.config.passwordCost,
  )
  if (!known || !isRight || tries === 0 || isLocked(services, attempt, known))
    throw await failed(services, attempt, context, known)
  const opened = await signedIn(services, attempt, context, known, body)
  // What was proven may have changed since, or the code been used: all of it is asked again.
  if (!opened) return signIn(request, services, tries - 1)
  return {
    status: 200,
    body: { user: opened.user, session_key: opened.value, ...redirectOf(services, known) },
    // Another site may sign its visitors in to its own account (login CSRF); their browsers don't keep it.
    ...(isFromOwnOrigin ? { cookies: [buildSessionCookie(services.config, opened.value)] } : {}),
  }
}

/** Nobody has the id 0, so that looking it up takes what looking up a user takes. */
const nobody = 0

/** Counts the failure; one answer for an unknown user, a wrong password, none at all and a locked account. */
const failed = async (
  services: Services,
  attempt: LoginAttempt,
  context: RequestContext,
  user: UserRecord | undefined,
): Promise<AppError> => {
  await recordFailure(services, attempt, context, user, 'invalid_credentials')
  return new AppError('login_failed', { reason: 'invalid_credentials' })
}

/**
 * What follows on a right password, unless guesses at the same moment have used up the limit first. Using the code up,
 * the new password and the session are one transaction; undefined when the user's record refuses it.
 */
const signedIn = async (
  services: Services,
  attempt: LoginAttempt,
  context: RequestContext,
  known: UserRecord,
  body: AuthLoginEndpointRequest,
): Promise<{ user: ServiceUserDetail; value: string } | undefined> => {
  const isPlain = isActive(known, services.now()) && isSimple(known, body)
  const guard = buildGuardSteps(services, attempt, known, isPlain)
  let ofUser: Step[] = []
  try {
    // Anything else than a plain sign-in tells of the right password before there is a session: earn it first.
    if (!isPlain) await services.table.transact(guard)
    const { fields, updates, along } = await completed(services, context, known, body)
    const all = [...updates, ...rememberAddress(services, attempt, known)]
    const user = { ...known, ...fields }
    // Read before: what follows the write could lose its answer.
    const detail = await toUserDetail(services.table, { ...user, lastSeenAt: services.now() })
    if (fields || all.length > 0) ofUser = [buildUserStep(known, fields ?? {}, all)]
    const value = await openSession(services, user, context, [
      ...ofUser,
      ...(isPlain ? guard : []),
      ...along,
      auditStep(context, 'login.succeeded', { user: user.id, actor: user.id }),
    ])
    return { user: detail, value }
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    // The session comes first, then this.
    if (ofUser.length > 0 && error.steps.includes(1)) return undefined
    throw await failed(services, attempt, context, known)
  }
}

const isSimple = (user: UserRecord, body: AuthLoginEndpointRequest): boolean =>
  user.totp === null && !user.passwordChangeRequired && !body.new_password

/** What a sign-in changes besides opening a session. */
interface Completion {
  readonly fields: Partial<UserRecord> | undefined
  readonly updates: readonly Update[]
  readonly along: readonly Step[]
}

/** Asks for all that a right password alone doesn't settle; a refusal is recorded with its reason. */
const completed = async (
  services: Services,
  context: RequestContext,
  known: UserRecord,
  body: AuthLoginEndpointRequest,
): Promise<Completion> => {
  try {
    requireWorkingAccount(services, known)
    const { use, along } = await proveSecondFactor(services, known, body.otp, context)
    const chosen = await chosenPassword(services, known, body)
    return {
      fields: chosen ? newPasswordChange(known, chosen) : await renewedHash(services, known, body.password),
      updates: use ? [use.change] : [],
      along: chosen
        ? [...along, auditStep(context, 'password.changed', { user: known.id, actor: known.id })]
        : along,
    }
  } catch (error) {
    if (error instanceof AppError)
      await services.table.transact([
        auditStep(context, 'login.failed', { user: known.id, outcome: error.details.reason ?? error.code }),
      ])
    throw error
  }
}

const requireWorkingAccount = ({ now }: Services, user: UserRecord): void => {
  if (!isActive(user, now()))
    throw new AppError('login_incomplete', {
      reason: 'account_disabled',
      detail: 'The account is disabled or has expired. Ask an administrator.',
    })
}

/** The hash of the new password, if there is one; asks for it where it is due. */
const chosenPassword = async (
  services: Services,
  user: UserRecord,
  { password, new_password: newPassword }: AuthLoginEndpointRequest,
): Promise<string | undefined> => {
  if (!newPassword) {
    if (!user.passwordChangeRequired) return undefined
    throw new AppError('login_incomplete', {
      reason: 'password_change_required',
      detail: 'Choose a new password: send the same again with new_password.',
    })
  }
  requireChangeablePassword(user)
  if (newPassword.normalize('NFC') === password.normalize('NFC'))
    throw new AppError('password_rejected', {
      errors: [{ field: 'new_password', message: 'The new password must differ from the old one.' }],
    })
  await requireGoodPassword(services, newPassword, user, 'new_password')
  return hashPassword(newPassword, services.config.passwordCost)
}

/** A hash of the same password in place of an outdated one. */
const renewedHash = async ({ config }: Services, { passwordHash }: UserRecord, password: string) =>
  passwordHash !== null && needsRehash(passwordHash, config.passwordCost)
    ? { passwordHash: await hashPassword(password, config.passwordCost) }
    : undefined

/** Whoever must change the password may, even where changing it at will is not allowed. */
const requireChangeablePassword = (user: UserRecord): void => {
  if (!user.allowChangingPassword && !user.passwordChangeRequired)
    throw new AppError('permission_denied', {
      detail: 'This account’s password can’t be changed by its user.',
    })
}

/** Where the product wants this user to go, left out unless it is a page of an origin that we may send people to. */
const redirectOf = ({ config }: Services, user: UserRecord): { redirect?: string } => {
  const page = user.defaultPage.startsWith('/') ? undefined : resolveDestination(config, user.defaultPage)
  return page && page.origin !== config.publicUrl ? { redirect: page.href } : {}
}
