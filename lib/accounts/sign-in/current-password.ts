import { invalidRequest } from '../../core/errors.ts'
import { verifyPassword } from '../../secrets/passwords.ts'
import type { Services } from '../../services.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import { type RequestContext, writeAudit } from '../common/request-context.ts'
import { consume } from '../common/throttle.ts'

export interface GivenPassword {
  readonly password: string
  /** The name of the field that contains it. */
  readonly field: string
}

/**
 * Checks the current password of a signed-in user. Their session may be stolen, so guesses are limited and recorded.
 *
 * @throws AppError `invalid_request` for a wrong password
 * @throws AppError `too_many_requests`
 */
export const requireCurrentPassword = async (
  services: Services,
  user: UserRecord,
  { password, field }: GivenPassword,
  context: RequestContext,
): Promise<void> => {
  await consume(services, 'passwordConfirmations', String(user.id))
  if (await verifyPassword(password, user.passwordHash ?? undefined, services.config.passwordCost)) return
  await writeAudit(services, context, 'password.refused', { user: user.id, outcome: 'invalid_credentials' })
  throw invalidRequest([{ field, message: 'is not the current password' }])
}
