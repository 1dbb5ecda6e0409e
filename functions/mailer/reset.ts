import { findMailAddress, isSuppressed } from '../../lib/accounts/common/mail-addresses.ts'
import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { consume, type Refund, tryRefund } from '../../lib/accounts/common/throttle.ts'
import { findUserToReset, mintResetToken } from '../../lib/accounts/passwords/reset-tokens.ts'
import { AppError } from '../../lib/core/errors.ts'
import { resetTokenLifetimeMs } from '../../lib/core/limits.ts'
import { renderResetEmail } from '../../lib/mail/reset-email.ts'
import type { Services } from '../../lib/services.ts'
import type { MailJob, OutboxEntry } from '../../lib/store/records/outbox.ts'
import type { EmailBuilder } from './letter.ts'

/**
 * The mail with a reset link, or undefined when there is nobody to send it to: the account had its share, or mail to
 * its address came back. Whoever asked isn't told, but the log is.
 */
export const buildResetEmail = async (
  services: Services,
  entry: OutboxEntry,
  errand: Extract<MailJob, { kind: 'password_reset' }>,
): Promise<EmailBuilder | undefined> => {
  const user = await findUserToReset(services, errand)
  if (!user) return undefined
  const recipient = findMailAddress(user.email ?? '')
  if (!recipient || (await isSuppressed(services, recipient))) {
    services.log.warn('mail.withheld', { request_id: entry.requestId, kind: errand.kind, user: user.id })
    return undefined
  }
  const giveBack = await takeShare(services, user.id)
  if (!giveBack) return undefined
  const { value, step } = mintResetToken(services, user)
  const origin = { ...entry, userAgent: '', at: services.now() }
  const made = auditStep(origin, 'password.reset_link_made', { user: user.id })
  try {
    await services.table.transact([step, made])
  } catch (error) {
    // Tried again, it would take the account's share once more each time, for no mail at all.
    await tryRefund(services, giveBack)
    throw error
  }
  const mail = renderResetEmail({
    to: recipient.address,
    username: user.username,
    publicUrl: services.config.publicUrl,
    token: value,
    lifetimeMs: resetTokenLifetimeMs,
  })
  return { mail, sent: { event: 'password.reset_sent', user: user.id }, giveBack }
}

const takeShare = async (services: Services, userId: number): Promise<Refund | undefined> => {
  try {
    return await consume(services, 'resetRequestsPerAccount', String(userId))
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
