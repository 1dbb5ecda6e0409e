import { destinationOf } from '../../lib/accounts/destinations.ts'
import {
  type Attempt,
  guardSteps,
  isLocked,
  openAttempt,
  recordFailure,
  rememberAddress,
} from '../../lib/accounts/login-guard.ts'
import { foldUsername } from '../../lib/accounts/names.ts'
import { requireGoodPassword } from '../../lib/accounts/password-policy.ts'
import { proveSecondFactor } from '../../lib/accounts/second-factor.ts'
import { mayAct, openSession } from '../../lib/accounts/sessions.ts'
import { userDetail } from '../../lib/accounts/user-body.ts'
import { recorded, type Visitor } from '../../lib/accounts/visitor.ts'
import type { AuthLoginEndpointRequest } from '../../lib/contract/models/login.ts'
import type { sessions } from '../../lib/contract/operations/sessions.ts'
import { AppError } from '../../lib/core/errors.ts'
import { sessionCookie } from '../../lib/http/cookies.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { hashPassword, needsRehash, verifyPassword } from '../../lib/secrets/passwords.ts'
import type { Services } from '../../lib/services.ts'
import { ConditionFailed, EditConflict } from '../../lib/store/outcomes.ts'
import type { UserRecord } from '../../lib/store/user-record.ts'
import { editUser, editUserEndingSessions, findUser } from '../../lib/store/users.ts'

/** Signs a user in with a password. Whatever is wrong is told only once the password was right. */
export const login: UseCase<typeof sessions.login> = async ({ body, visitor, isFromOwnOrigin }, services) => {
  const attempt = await openAttempt(services, foldUsername(body.username), visitor)
  const known = await findUser(services.table, attempt.userId ?? nobody)
  const isRight = await verifyPassword(
    body.password,
    known?.passwordHash ?? undefined,
    services.config.passwordCost,
  )
  if (!known || !isRight || isLocked(services, attempt, known))
    throw await failed(services, attempt, visitor, known)
  const { user, value } = await signedIn(services, attempt, visitor, known, body)
  return {
    status: 200,
    body: {
      user: await userDetail(services.table, { ...user, lastSeenAt: services.now() }),
      session_key: value,
      ...redirectOf(services, user),
    },
    // Another site may sign its visitors in to its own account (login CSRF); their browsers don't keep it.
    ...(isFromOwnOrigin ? { cookies: [sessionCookie(services.config, value)] } : {}),
  }
}

/** Nobody has the id 0, so that looking it up takes what looking up a user takes. */
const nobody = 0

/** Counts the failure; one answer for an unknown user, a wrong password, none at all and a locked account. */
const failed = async (
  services: Services,
  attempt: Attempt,
  visitor: Visitor,
  user: UserRecord | undefined,
): Promise<AppError> => {
  await recordFailure(services, attempt, visitor, user, 'invalid_credentials')
  return new AppError('login_failed', { reason: 'invalid_credentials' })
}

/** What follows on a right password, unless guesses at the same moment have used up the limit first. */
const signedIn = async (
  services: Services,
  attempt: Attempt,
  visitor: Visitor,
  known: UserRecord,
  body: AuthLoginEndpointRequest,
): Promise<{ user: UserRecord; value: string }> => {
  const isPlain = mayAct(known, services.now()) && isSimple(known, body)
  const guard = guardSteps(services, attempt, known, isPlain)
  try {
    // Anything else than a plain sign-in tells of the right password before there is a session: earn it first.
    if (!isPlain) await services.table.transact(guard)
    const user = await completed(services, visitor, known, body)
    const value = await openSession(services, user, visitor, [
      ...(isPlain ? guard : []),
      ...rememberAddress(services, attempt, user),
      recorded(visitor, 'login.succeeded', { user: user.id, actor: user.id }),
    ])
    return { user, value }
  } catch (error) {
    throw error instanceof ConditionFailed ? await failed(services, attempt, visitor, known) : error
  }
}

const isSimple = (user: UserRecord, body: AuthLoginEndpointRequest): boolean =>
  user.totp === null && !user.passwordChangeRequired && !body.new_password

/** Asks for all that a right password alone doesn't settle; a refusal is recorded with its reason. */
const completed = async (
  services: Services,
  visitor: Visitor,
  known: UserRecord,
  body: AuthLoginEndpointRequest,
): Promise<UserRecord> => {
  try {
    requireWorkingAccount(services, known)
    const proof = await proveSecondFactor(services, known, body.otp, visitor)
    const chosen = await chosenPassword(services, known, body)
    // Used up last: whoever is asked for a new password, or a better one, sends the same code again.
    const user = await proof.use()
    return await withPasswordAsItShouldBe(services, visitor, user, body.password, chosen)
  } catch (error) {
    if (error instanceof AppError)
      await services.table.transact([
        recorded(visitor, 'login.failed', { user: known.id, outcome: error.facts.reason ?? error.code }),
      ])
    throw error
  }
}

const requireWorkingAccount = ({ now }: Services, user: UserRecord): void => {
  if (!mayAct(user, now()))
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

/** Sets the password that was chosen, or renews an outdated hash; else leaves the user alone. */
const withPasswordAsItShouldBe = async (
  { table, config }: Services,
  visitor: Visitor,
  user: UserRecord,
  password: string,
  chosen: string | undefined,
): Promise<UserRecord> => {
  if (chosen !== undefined)
    return editUserEndingSessions(table, user, { passwordHash: chosen, passwordChangeRequired: false }, [
      recorded(visitor, 'password.changed', { user: user.id, actor: user.id }),
    ])
  if (user.passwordHash === null || !needsRehash(user.passwordHash, config.passwordCost)) return user
  try {
    return await editUser(table, user, { passwordHash: await hashPassword(password, config.passwordCost) })
  } catch (error) {
    // Somebody else changed the user at this moment; the hash is renewed the next time.
    if (error instanceof EditConflict) return user
    throw error
  }
}

/** Whoever must change the password may, even where changing it at will is not allowed. */
const requireChangeablePassword = (user: UserRecord): void => {
  if (!user.allowChangingPassword && !user.passwordChangeRequired)
    throw new AppError('permission_denied', {
      detail: 'This account’s password can’t be changed by its user.',
    })
}

/** Where the product wants this user to go, left out unless it is a page of an origin that we may send people to. */
const redirectOf = ({ config }: Services, user: UserRecord): { redirect?: string } => {
  const page = user.defaultPage.startsWith('/') ? undefined : destinationOf(config, user.defaultPage)
  return page && page.origin !== config.publicUrl ? { redirect: page.href } : {}
}
