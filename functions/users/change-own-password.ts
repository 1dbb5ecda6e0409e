import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { consume } from '../../lib/accounts/common/throttle.ts'
import { requireGoodPassword } from '../../lib/accounts/passwords/password-policy.ts'
import { proveSecondFactor } from '../../lib/accounts/sign-in/second-factor.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { AppError, invalidRequest } from '../../lib/core/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { hashPassword, verifyPassword } from '../../lib/secrets/passwords.ts'
import type { Services } from '../../lib/services.ts'
import { buildUserStep, newPasswordChange } from '../../lib/store/directory/user-step.ts'
import { findUser } from '../../lib/store/directory/users.ts'
import { EditConflict, wasCommitted } from '../../lib/store/engine/transaction-errors.ts'
import type { UserRecord } from '../../lib/store/records/user-record.ts'
import { buildKeepSessionStep } from '../../lib/store/sign-in/sessions.ts'

/** Changes the caller's password, and ends all of its other sessions and tickets. */
export const changeOwnPassword: UseCase<typeof users.changeOwnPassword> = async (
  { body, principal: { user, session }, context },
  services,
) => {
  if (!user.allowChangingPassword)
    throw new AppError('permission_denied', {
      detail: 'This account’s password can’t be changed by its user.',
    })
  await requireCurrentPassword(services, user, body.current_password)
  let proof = await proveSecondFactor(services, user, body.current_otp, context)
  await requireGoodPassword(services, body.password, user, 'password')
  const fields = newPasswordChange(user, await hashPassword(body.password, services.config.passwordCost))
  for (let tries = 0; tries < 5; tries++) {
    const steps = [
      buildUserStep(user, fields, proof.use ? [proof.use.change] : []),
      buildKeepSessionStep(session, fields.credentialEpoch),
      auditStep(context, 'password.changed', { user: user.id }),
      ...proof.along,
    ]
    if (await wasCommitted(services.table.transact(steps))) return { status: 204 }
    // Either the password is another one now, and the session has ended, or the code was used by somebody else.
    const read = await findUser(services.table, user.id)
    if (read?.credentialEpoch !== user.credentialEpoch) break
    proof = await proveSecondFactor(services, read, body.current_otp, context)
  }
  throw new EditConflict()
}

/** A session may be in the wrong hands: the password proves that it isn't, and can't be guessed at here either. */
const requireCurrentPassword = async (
  services: Services,
  user: UserRecord,
  password: string,
): Promise<void> => {
  await consume(services, 'passwordConfirmations', String(user.id))
  if (!(await verifyPassword(password, user.passwordHash ?? undefined, services.config.passwordCost)))
    throw invalidRequest([{ field: 'current_password', message: 'is not the current password' }])
}
