import { findByUsername } from '../../lib/accounts/directory.ts'
import { foldUsername } from '../../lib/accounts/names.ts'
import { requireGoodPassword } from '../../lib/accounts/password-policy.ts'
import { mayAct, openSession } from '../../lib/accounts/sessions.ts'
import { userDetail } from '../../lib/accounts/user-body.ts'
import type { sessions } from '../../lib/contract/operations/sessions.ts'
import { AppError } from '../../lib/core/errors.ts'
import { sessionCookie } from '../../lib/http/cookies.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { hashPassword, needsRehash, verifyPassword } from '../../lib/secrets/passwords.ts'
import type { Services } from '../../lib/services.ts'
import { EditConflict, editUser, editUserEndingSessions, type UserRecord } from '../../lib/store/users.ts'

/** Signs a user in with a password. Whatever is wrong is told only once the password was right. */
export const login: UseCase<typeof sessions.login> = async ({ body, visitor, isFromOwnOrigin }, services) => {
  const known = await userWithPassword(services, body.username, body.password)
  requireWorkingAccount(services, known)
  const user = await withPasswordAsItShouldBe(services, known, body.password, body.new_password ?? undefined)
  const value = await openSession(services, user, visitor)
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

/** One answer, after the same work, for an unknown user, a wrong password and a user without one. */
const userWithPassword = async (
  { table, config }: Services,
  username: string,
  password: string,
): Promise<UserRecord> => {
  const user = await findByUsername(table, foldUsername(username))
  const isRight = await verifyPassword(password, user?.passwordHash ?? undefined, config.passwordCost)
  if (!user || !isRight) throw new AppError('login_failed', { reason: 'invalid_credentials' })
  return user
}

const requireWorkingAccount = ({ now }: Services, user: UserRecord): void => {
  if (!mayAct(user, now()))
    throw new AppError('login_incomplete', {
      reason: 'account_disabled',
      detail: 'The account is disabled or has expired. Ask an administrator.',
    })
}

/** Sets the new password, asks for one where it is due, or renews an outdated hash; else leaves the user alone. */
const withPasswordAsItShouldBe = async (
  services: Services,
  user: UserRecord,
  password: string,
  newPassword: string | undefined,
): Promise<UserRecord> => {
  const { table, config } = services
  if (newPassword !== undefined) {
    requireChangeablePassword(user)
    if (newPassword.normalize('NFC') === password.normalize('NFC'))
      throw new AppError('password_rejected', {
        errors: [{ field: 'new_password', message: 'The new password must differ from the old one.' }],
      })
    await requireGoodPassword(services, newPassword, user, 'new_password')
    const passwordHash = await hashPassword(newPassword, config.passwordCost)
    return editUserEndingSessions(table, user, { passwordHash, passwordChangeRequired: false })
  }
  if (user.passwordChangeRequired)
    throw new AppError('login_incomplete', {
      reason: 'password_change_required',
      detail: 'Choose a new password: send the same again with new_password.',
    })
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
  const url = URL.parse(user.defaultPage)
  // A `blob:` URL has the origin of the page that made it, and is not a page of it.
  const isPage = url?.protocol === 'https:' || url?.protocol === 'http:'
  return url && isPage && config.allowedOrigins.includes(url.origin) ? { redirect: url.href } : {}
}
