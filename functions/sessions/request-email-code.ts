import { consume } from '../../lib/accounts/common/throttle.ts'
import type { sessions } from '../../lib/contract/operations/sessions.ts'
import { AppError } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { emailCodeLifetimeMs } from '../../lib/limits/limits.ts'
import { mintEmailCodeRequest } from '../../lib/secrets/email-codes.ts'
import { findSignInPolicy } from '../../lib/store/directory/sign-in-policy.ts'
import { buildOutboxStep } from '../../lib/store/mail/outbox.ts'
import { buildCodeRequestStep } from '../../lib/store/sign-in/email-codes.ts'
import { formatTime } from '../../lib/util/format-time.ts'
import { getNetwork } from '../../lib/util/network.ts'

/**
 * Stores a request for a code and queues its email. The mailer looks up the account and creates the code later, so
 * neither the response nor its duration reveals whether the account exists.
 */
export const requestEmailCode: UseCase<typeof sessions.requestEmailCode> = async (
  { body, context },
  services,
) => {
  const { table, now } = services
  await consume(services, 'emailCodeRequestsPerAddress', getNetwork(context.address))
  const stored = await findSignInPolicy(table)
  if (!stored?.policy.allowEmailCodes)
    throw new AppError('permission_denied', { detail: 'Signing in with emailed codes is turned off.' })
  const { value, hash, salt } = mintEmailCodeRequest()
  const expiresAt = now() + emailCodeLifetimeMs
  const job = { kind: 'sign_in_code', name: body.username, requestHash: hash, salt } as const
  await table.transact([
    buildCodeRequestStep({ hash, attempts: 0, expiresAt }),
    buildOutboxStep(job, context, now()),
  ])
  return { status: 200, body: { request_id: value, expires: formatTime(expiresAt) } }
}
