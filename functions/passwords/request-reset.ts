import { consume } from '../../lib/accounts/common/throttle.ts'
import type { passwords } from '../../lib/contract/operations/passwords.ts'
import { getNetwork } from '../../lib/core/network.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { buildOutboxStep } from '../../lib/store/records/outbox.ts'

/**
 * Notes that somebody wants a reset link. Whether there is such an account is found out afterwards, by whoever
 * sends the mail: so neither the answer nor its duration can tell.
 */
export const requestPasswordReset: UseCase<typeof passwords.requestPasswordReset> = async (
  { body, context },
  services,
) => {
  await consume(services, 'resetRequestsPerAddress', getNetwork(context.address))
  const { username, email = '' } = body
  const errand = { kind: 'password_reset' as const, ...(username === undefined ? { email } : { username }) }
  await services.table.transact([buildOutboxStep(errand, context, services.now())])
  return { status: 204 }
}
