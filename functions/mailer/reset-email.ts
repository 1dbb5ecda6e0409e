import { isSuppressed, parseMailAddress } from '../../lib/accounts/common/mail-addresses.ts'
import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { consume, type Refund, tryRefund } from '../../lib/accounts/common/throttle.ts'
import { findUserToReset, mintResetToken } from '../../lib/accounts/passwords/reset-tokens.ts'
import { AppError } from '../../lib/core/errors.ts'
import { resetTokenLifetimeMs } from '../../lib/core/limits.ts'
import { renderResetEmail } from '../../lib/mail/reset-email.ts'
import type { Services } from '../../lib/services.ts'
import type { MailJob, OutboxEntry } from '../../lib/store/records/outbox.ts'
import type { PreparedEmail } from './prepared-email.ts'

/**
 * Prepares the email with a reset link. Returns undefined if it has no recipient: no such account, an
 * exhausted rate limit, or a suppressed address. The requester does not learn this, but a suppressed address is logged.
 */
export const prepareResetEmail = async (
  services: Services,
  entry: OutboxEntry,
  job: Extract<MailJob, { kind: 'password_reset' }>,
): Promise<PreparedEmail | undefined> => {
  const user = await findUserToReset(services, job)
  if (!user) return undefined
  const recipient = parseMailAddress(user.email ?? '')
  if (!recipient || (await isSuppressed(services, recipient))) {
    services.log.warn('mail.withheld', { request_id: entry.requestId, kind: job.kind, user: user.id })
    return undefined
  }
  const refund = await consumeAccountLimit(services, user.id)
  if (!refund) return undefined
  const { value, step } = mintResetToken(services, user)
  const context = { ...entry, userAgent: '', at: services.now() }
  const audit = auditStep(context, 'password.reset_link_made', { user: user.id })
  try {
    await services.table.transact([step, audit])
  } catch (error) {
    // The job is retried. Without the refund, each attempt would consume the limit of the account without an email.
    await tryRefund(services, refund)
    throw error
  }
  const email = renderResetEmail({
    to: recipient.address,
    username: user.username,
    publicUrl: services.config.publicUrl,
    token: value,
    lifetimeMs: resetTokenLifetimeMs,
  })
  return { email, audit: { event: 'password.reset_sent', user: user.id }, refund }
}

const consumeAccountLimit = async (services: Services, userId: number): Promise<Refund | undefined> => {
  try {
    return await consume(services, 'resetRequestsPerAccount', String(userId))
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
