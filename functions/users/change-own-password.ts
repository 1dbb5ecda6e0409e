import { requireGoodPassword } from '../../lib/accounts/password-policy.ts'
import { proveSecondFactor } from '../../lib/accounts/second-factor.ts'
import { spend } from '../../lib/accounts/throttle.ts'
import { recorded } from '../../lib/accounts/visitor.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { AppError, invalidRequest } from '../../lib/core/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { hashPassword, verifyPassword } from '../../lib/secrets/passwords.ts'
import type { Services } from '../../lib/services.ts'
import { editUserEndingOtherSessions } from '../../lib/store/sessions.ts'
import type { UserRecord } from '../../lib/store/user-record.ts'

/** Changes the caller's password, and ends all of its other sessions and tickets. */
export const changeOwnPassword: UseCase<typeof users.changeOwnPassword> = async (
  { body, principal: { user, session }, visitor },
  services,
) => {
  if (!user.allowChangingPassword)
    throw new AppError('permission_denied', {
      detail: 'This account’s password can’t be changed by its user.',
    })
  await requireCurrentPassword(services, user, body.current_password)
  const proof = await proveSecondFactor(services, user, body.current_otp, visitor)
  await requireGoodPassword(services, body.password, user, 'password')
  const passwordHash = await hashPassword(body.password, services.config.passwordCost)
  // Used up last, so that no code is lost to a password that is refused.
  const confirmed = await proof.use()
  const changes = { passwordHash, passwordChangeRequired: false }
  await editUserEndingOtherSessions(services.table, confirmed, session, changes, [
    recorded(visitor, 'password.changed', { user: user.id }),
  ])
  return { status: 204 }
}

/** A session may be in the wrong hands: the password proves that it isn't, and can't be guessed at here either. */
const requireCurrentPassword = async (
  services: Services,
  user: UserRecord,
  password: string,
): Promise<void> => {
  await spend(services, 'passwordConfirmations', String(user.id))
  if (!(await verifyPassword(password, user.passwordHash ?? undefined, services.config.passwordCost)))
    throw invalidRequest([{ field: 'current_password', message: 'is not the current password' }])
}
