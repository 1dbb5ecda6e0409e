import { AppError } from '../../core/errors.ts'
import { getNetwork } from '../../core/network.ts'
import { verifyPassword } from '../../secrets/passwords.ts'
import type { Services } from '../../services.ts'
import type { AccessTokenRecord } from '../../store/records/access-token-record.ts'
import { type RequestContext, writeAudit } from '../common/request-context.ts'
import { consume, tryRefund } from '../common/throttle.ts'

/**
 * Lets whoever knows the link's password pass, if it has one. A guess is counted before it is looked at, so that many
 * at the same moment get no more of them than one after the other, not even the right one.
 *
 * @throws AppError `login_incomplete`: `password_required`.
 * @throws AppError `login_failed` for a wrong one, which is recorded.
 * @throws AppError `too_many_requests` after too many, from one network or from everywhere.
 */
export const requireLinkPassword = async (
  services: Services,
  token: AccessTokenRecord,
  password: string | null | undefined,
  context: RequestContext,
): Promise<void> => {
  if (token.passwordHash === null) return
  if (!password)
    throw new AppError('login_incomplete', {
      reason: 'password_required',
      detail: 'The link has a password of its own: send it along.',
    })
  const id = String(token.id)
  const giveBack = [
    await consume(services, 'linkGuessesPerNetwork', `${id} ${getNetwork(context.address)}`),
    await consume(services, 'linkGuesses', id),
  ]
  if (!(await verifyPassword(password, token.passwordHash, services.config.passwordCost))) {
    await writeAudit(services, context, 'access_token.refused', {
      user: token.user,
      target: id,
      outcome: 'invalid_credentials',
    })
    throw new AppError('login_failed', {
      reason: 'invalid_credentials',
      detail: 'The password of the link is wrong.',
    })
  }
  // Else a link that many people use would lock them out.
  await Promise.all(giveBack.map((give) => tryRefund(services, give)))
}
