import { consume } from '../../lib/accounts/common/throttle.ts'
import type { passwords } from '../../lib/contract/operations/passwords.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { buildOutboxStep } from '../../lib/store/mail/outbox.ts'
import { getNetwork } from '../../lib/util/network.ts'

/**
 * Queues the email with a reset link. The mailer looks up the account later, so neither the response nor its duration
 * reveals whether the account exists.
 */
export const requestPasswordReset: UseCase<typeof passwords.requestPasswordReset> = async (
  { body, context },
  services,
) => {
  await consume(services, 'resetRequestsPerAddress', getNetwork(context.address))
  const { username, email = '' } = body
  const job = { kind: 'password_reset' as const, ...(username === undefined ? { email } : { username }) }
  await services.table.transact([buildOutboxStep(job, context, services.now())])
  return { status: 204 }
}
