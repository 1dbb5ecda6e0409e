import { isSuppressed, parseMailAddress } from '../../lib/accounts/common/mail-addresses.ts'
import { renderSecurityNoticeEmail } from '../../lib/mail/security-notice-email.ts'
import type { Services } from '../../lib/services.ts'
import { findUser } from '../../lib/store/directory/users.ts'
import type { MailJob, OutboxEntry } from '../../lib/store/records/outbox.ts'
import type { PreparedEmail } from './prepared-email.ts'
import { tryConsume } from './try-consume.ts'

/**
 * Prepares the email about a change of an account. Returns undefined if the user was deleted, the address is
 * suppressed, or the user got too many emails about changes of this kind. The limit is per kind, so that a flood of
 * harmless changes hides no other one.
 */
export const prepareSecurityNoticeEmail = async (
  services: Services,
  entry: OutboxEntry,
  { userId, change, to, at, browser }: Extract<MailJob, { kind: 'security_notice' }>,
): Promise<PreparedEmail | undefined> => {
  const { config, log } = services
  const user = await findUser(services.table, userId)
  const recipient = parseMailAddress(to)
  if (!user || !recipient) return undefined
  const isWithheld = await isSuppressed(services, recipient)
  const refund = isWithheld ? undefined : await tryConsume(services, 'securityNotices', `${userId}#${change}`)
  if (!refund) {
    log.warn('mail.withheld', { request_id: entry.requestId, kind: 'security_notice', user: userId })
    return undefined
  }
  const email = renderSecurityNoticeEmail({
    to: recipient.address,
    username: user.username,
    publicUrl: config.publicUrl,
    signInUrl: config.signInUrl,
    change,
    at,
    origin: browser === null ? undefined : { address: entry.address, browser },
  })
  return { email, refund }
}
