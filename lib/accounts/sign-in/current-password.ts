import { invalidRequest } from '../../errors/errors.ts'
import { verifyPassword } from '../../secrets/passwords.ts'
import type { Services } from '../../services.ts'
import type { UserRecord } from '../../store/directory/user-record.ts'
import { findKnownPlaces } from '../common/known-places.ts'
import { type RequestContext, writeAudit } from '../common/request-context.ts'
import { consume, tryRefund } from '../common/throttle.ts'

export interface GivenPassword {
  readonly password: string
  /** The name of the field that contains it. */
  readonly field: string
}

/**
 * Checks the current password of a signed-in user. Their session may be stolen, so guesses are limited and recorded.
 * Those of a thief elsewhere do not keep the user from entering it at a known place.
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
  const [place = 'unknown'] = findKnownPlaces(user, context)
  const refund = await consume(services, 'passwordConfirmations', `${user.id} ${place}`)
  if (await verifyPassword(password, user.passwordHash ?? undefined, services.config.passwordCost))
    return tryRefund(services, refund)
  await writeAudit(services, context, 'password.refused', { user: user.id, outcome: 'invalid_credentials' })
  throw invalidRequest([{ field, message: 'is not the current password' }])
}
