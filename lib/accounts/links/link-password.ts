import { AppError } from '../../errors/errors.ts'
import { verifyPassword } from '../../secrets/passwords.ts'
import type { Services } from '../../services.ts'
import type { AccessTokenRecord } from '../../store/links/access-token-record.ts'
import { getNetwork } from '../../util/network.ts'
import { type RequestContext, writeAudit } from '../common/request-context.ts'
import { consume, tryRefund } from '../common/throttle.ts'

/**
 * Checks the password of a link, if it has one. A guess is counted before it is checked, so that parallel guesses are
 * limited like sequential ones.
 *
 * @throws AppError `login_incomplete` with the reason `password_required`
 * @throws AppError `login_failed` for a wrong password, after storing the audit event
 * @throws AppError `too_many_requests` after too many guesses from one network or from all
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
      detail: 'The link has a password. Send it as `password`.',
    })
  const id = String(token.id)
  const refunds = [
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
  // Otherwise a widely shared link would lock everyone out.
  await Promise.all(refunds.map((refund) => tryRefund(services, refund)))
}
