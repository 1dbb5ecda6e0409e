import { createEnvelope } from '../../lib/accounts/common/envelope.ts'
import { isSuppressed, type MailAddress, parseMailAddress } from '../../lib/accounts/common/mail-addresses.ts'
import { tryRefund } from '../../lib/accounts/common/throttle.ts'
import { mintSecurityReport } from '../../lib/accounts/security-reports/mint-report.ts'
import { securityReportLifetimeMs } from '../../lib/core/limits.ts'
import { type ChangeOrigin, renderSecurityNoticeEmail } from '../../lib/mail/security-notice-email.ts'
import type { Services } from '../../lib/services.ts'
import { findUser } from '../../lib/store/directory/users.ts'
import { buildHeldEntryStep, type MailJob, type OutboxEntry } from '../../lib/store/records/outbox.ts'
import type { PreparedEmail } from './prepared-email.ts'
import { tryConsume } from './try-consume.ts'

type NoticeJob = Extract<MailJob, { kind: 'security_notice' }>

/**
 * Prepares the email about a change of an account. Returns undefined if the user was deleted, the address is
 * suppressed, or the user got too many emails about changes of this kind. The limit is per kind, so that a flood of
 * harmless changes hides no other one.
 *
 * @throws EntryLost
 */
export const prepareSecurityNoticeEmail = async (
  services: Services,
  entry: OutboxEntry,
  job: NoticeJob,
): Promise<PreparedEmail | undefined> => {
  const { userId, change, email: changedEmail, at } = job
  const { signInUrl } = services.config
  const user = await findUser(services.table, userId)
  const recipient = parseMailAddress(changedEmail)
  if (!user || !recipient) return undefined
  const isWithheld = await isSuppressed(services, recipient)
  const refund = isWithheld ? undefined : await tryConsume(services, 'securityNotices', `${userId}#${change}`)
  if (!refund) {
    services.log.warn('mail.withheld', { request_id: entry.requestId, kind: job.kind, user: userId })
    return undefined
  }
  try {
    const origin = await describeOrigin(services, entry, job, recipient)
    const { username } = user
    const requestLanguage = entry.language
    const envelope = await createEnvelope(services, { to: recipient.address, user, requestLanguage })
    return {
      email: renderSecurityNoticeEmail(envelope, { username, signInUrl, change, at, origin }),
      refund,
    }
  } catch (error) {
    // The job is retried, or another mailer has it.
    await tryRefund(services, refund)
    throw error
  }
}

/** Stores the token of the link, which only the email contains. Changes by others have no link. */
const describeOrigin = async (
  services: Services,
  entry: OutboxEntry,
  { userId, change, email, at, by, browser, device = { browser } }: NoticeJob,
  { normalized }: MailAddress,
): Promise<ChangeOrigin> => {
  if (by !== 'user') return { by }
  const { value, step } = mintSecurityReport(services, {
    ...{ userId, change, email },
    changedAt: at,
    normalizedEmail: normalized,
  })
  await services.table.transact([buildHeldEntryStep(entry), step])
  return {
    ...{ by, device, address: entry.address },
    reportToken: value,
    reportLifetimeMs: securityReportLifetimeMs,
  }
}
