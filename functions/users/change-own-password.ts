import { requireGoodPassword } from '../../lib/accounts/password-policy.ts'
import { proveSecondFactor } from '../../lib/accounts/second-factor.ts'
import { spend } from '../../lib/accounts/throttle.ts'
import { recorded } from '../../lib/accounts/visitor.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { AppError, invalidRequest } from '../../lib/core/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { hashPassword, verifyPassword } from '../../lib/secrets/passwords.ts'
import type { Services } from '../../lib/services.ts'
import { EditConflict, wasMade } from '../../lib/store/outcomes.ts'
import { keepSessionStep } from '../../lib/store/sessions.ts'
import type { UserRecord } from '../../lib/store/user-record.ts'
import { newPassword, userStep } from '../../lib/store/user-step.ts'
import { findUser } from '../../lib/store/users.ts'

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
  let proof = await proveSecondFactor(services, user, body.current_otp, visitor)
  await requireGoodPassword(services, body.password, user, 'password')
  const fields = newPassword(user, await hashPassword(body.password, services.config.passwordCost))
  for (let tries = 0; tries < 5; tries++) {
    const steps = [
      userStep(user, fields, proof.use ? [proof.use.change] : []),
      keepSessionStep(session, fields.credentialEpoch),
      recorded(visitor, 'password.changed', { user: user.id }),
      ...proof.along,
    ]
    if (await wasMade(services.table.transact(steps))) return { status: 204 }
    // Either the password is another one now, and the session has ended, or the code was used by somebody else.
    const read = await findUser(services.table, user.id)
    if (read?.credentialEpoch !== user.credentialEpoch) break
    proof = await proveSecondFactor(services, read, body.current_otp, visitor)
  }
  throw new EditConflict()
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
