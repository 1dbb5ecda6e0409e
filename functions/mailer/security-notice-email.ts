import { isSuppressed, type MailAddress, parseMailAddress } from '../../lib/accounts/common/mail-addresses.ts'
import { tryRefund } from '../../lib/accounts/common/throttle.ts'
import { mintSecurityReport } from '../../lib/accounts/security-reports/mint-report.ts'
import { securityReportLifetimeMs } from '../../lib/limits/limits.ts'
import { type ChangeOrigin, renderSecurityNoticeEmail } from '../../lib/mail/security-notice-email.ts'
import type { Services } from '../../lib/services.ts'
import { findUser } from '../../lib/store/directory/users.ts'
import type { Step } from '../../lib/store/engine/transaction.ts'
import type { MailJob } from '../../lib/store/mail/mail-job.ts'
import { buildHeldEntryStep, type OutboxEntry } from '../../lib/store/mail/outbox.ts'
import type { PreparedEmail } from './prepared-email.ts'
import { tryConsume } from './try-consume.ts'
import { writeEmail } from './write-email.ts'

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
    const { origin, step } = describeOrigin(services, entry, job, recipient)
    const { username } = user
    const email = await writeEmail(services, entry, { to: recipient.address, user }, (envelope) =>
      renderSecurityNoticeEmail(envelope, { username, signInUrl, change, at, origin }),
    )
    if (step) await services.table.transact([buildHeldEntryStep(entry), step])
    return { email, refund }
  } catch (error) {
    // The job is retried, or another mailer has it.
    await tryRefund(services, refund)
    throw error
  }
}

/** Creates the token of the link, which only the email contains, and the step that stores it. Changes by others have no link. */
const describeOrigin = (
  services: Services,
  entry: OutboxEntry,
  { userId, change, email, at, by, device }: NoticeJob,
  { normalized }: MailAddress,
): { readonly origin: ChangeOrigin; readonly step?: Step } => {
  if (by !== 'user') return { origin: { by } }
  const { value, step } = mintSecurityReport(services, {
    ...{ userId, change, email },
    changedAt: at,
    normalizedEmail: normalized,
  })
  const { address } = entry
  const reportLifetimeMs = securityReportLifetimeMs
  return { origin: { by, device, address, reportToken: value, reportLifetimeMs }, step }
}
