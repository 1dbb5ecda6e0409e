import { type Refund, tryRefund } from '../../accounts/callers/throttle.ts'
import { auditStep, writeAudit } from '../../accounts/events/write-event.ts'
import { describeTriedUsername } from '../../accounts/names/names.ts'
import type { MailJob } from '../../accounts/outbox/job.records.ts'
import { isSuppressed, type MailAddress, parseMailAddress } from '../../accounts/outbox/mail-addresses.ts'
import { buildHeldEntryStep, type OutboxEntry } from '../../accounts/outbox/outbox.records.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { resetTokenLifetimeMs, securityReportLifetimeMs } from '../../kernel/limits/limits.ts'
import { mintCredential } from '../../kernel/secrets/credentials.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import { buildSecurityReportStep, type SecurityReportRecord } from '../leaked-credentials/reports.records.ts'
import { findUserToReset, mintResetToken } from '../passwords/reset-tokens.ts'
import { renderResetEmail } from './reset-email.ts'
import { type ChangeOrigin, renderSecurityNoticeEmail } from './security-notice-email.ts'
import { consumeRequested, type PreparedEmail, prepareNotice, tryConsume, writeEmail } from './write-email.ts'

/**
 * Prepares the email with a reset link. Returns undefined if it has no recipient: no such account, an
 * exhausted rate limit, or a suppressed address. The requester does not learn this, but a suppressed address is logged.
 */
export const prepareResetEmail = async (
  services: Services,
  entry: OutboxEntry,
  job: ResetJob,
): Promise<PreparedEmail | undefined> => {
  const recipient = await findRecipient(services, entry, job)
  if (!recipient) {
    await auditUnknownRecipient(services, entry, job)
    return undefined
  }
  const refund = await consumeReset(services, entry, job, recipient.user)
  if (!refund) return undefined
  try {
    const link = await mintLink(services, entry, job, recipient)
    if (link) return { ...link, refund }
  } catch (error) {
    // The job is retried. Without the refund, each attempt would consume the limit of the account without an email.
    await tryRefund(services, refund)
    throw error
  }
  await tryRefund(services, refund)
  return undefined
}

/** Counts the email, by who can cause it. */
const consumeReset = async (
  services: Services,
  entry: OutboxEntry,
  job: ResetJob,
  user: UserRecord,
): Promise<Refund | undefined> => {
  // A thief who requested many links must not keep the victim from getting one after a report.
  if ('to' in job) return async () => undefined
  // Only someone who knows the password causes this email, so strangers cannot use it up.
  if ('reason' in job) return tryConsume(services, 'lockedSignInEmails', String(user.id))
  return consumeRequested(services, user, entry, {
    perRequester: 'resetRequestsPerRequester',
    perAccount: 'resetRequestsPerAccount',
  })
}

/** Requests for unknown names are how attackers find out which accounts exist. */
const auditUnknownRecipient = async (
  services: Services,
  entry: OutboxEntry,
  job: ResetJob,
): Promise<void> => {
  const context = { ...entry, userAgent: '', at: services.now() }
  const facts =
    'userId' in job
      ? { user: job.userId }
      : omitUndefined({
          username: describeTriedUsername('username' in job ? job.username : job.email, { isKnown: false }),
        })
  await writeAudit(services, context, 'password.reset_not_possible', { ...facts, outcome: 'no_recipient' })
}

type ResetJob = Extract<MailJob, { kind: 'password_reset' }>

interface Recipient {
  readonly user: UserRecord
  readonly to: string
}

const findRecipient = async (
  services: Services,
  entry: OutboxEntry,
  job: ResetJob,
): Promise<Recipient | undefined> => {
  const user = await findUserToReset(services, job)
  if (!user) return undefined
  const address = parseMailAddress(('to' in job ? job.to : user.email) ?? '')
  if (address && !(await isSuppressed(services, address))) return { user, to: address.address }
  services.log.warn('mail.withheld', { request_id: entry.requestId, kind: job.kind, user: user.id })
  return undefined
}

/**
 * Stores a token and renders its email. Reads the recipient again if the account changed, because its address may be
 * another one. A mailer that lost the entry stores nothing: its token would revoke the one that the other mailer sent.
 *
 * @throws EntryLost
 */
const mintLink = async (
  services: Services,
  entry: OutboxEntry,
  job: ResetJob,
  found: Recipient,
): Promise<Omit<PreparedEmail, 'refund'> | undefined> =>
  retryConflicts(async (attempt) => {
    const recipient = attempt === 1 ? found : await findRecipient(services, entry, job)
    if (recipient?.user.id !== found.user.id) return undefined
    const { user, to } = recipient
    const { value, steps, undo } = mintResetToken(services, user)
    const reader = { to, user, emailText: 'password_reset' } as const
    const email = await writeEmail(services, entry, reader, (envelope) =>
      renderResetEmail(envelope, {
        username: user.username,
        token: value,
        lifetimeMs: resetTokenLifetimeMs,
        ...('reason' in job ? { reason: job.reason } : {}),
      }),
    )
    const context = { ...entry, userAgent: '', at: services.now() }
    await services.table.transact([
      buildHeldEntryStep(entry),
      ...steps,
      auditStep(context, 'password.reset_link_made', { user: user.id }),
    ])
    return { email, audit: { event: 'password.reset_sent', user: user.id }, undo }
  }, 'The account kept changing while a reset link was created.')

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
  return prepareNotice(
    services,
    entry,
    { to: recipient, userId, kind: job.kind, subject: change },
    async () => {
      const { origin, step } = describeOrigin(services, entry, job, recipient)
      const { username } = user
      const email = await writeEmail(services, entry, { to: recipient.address, user }, (envelope) =>
        renderSecurityNoticeEmail(envelope, { username, signInUrl, change, at, origin }),
      )
      if (step) await services.table.transact([buildHeldEntryStep(entry), step])
      return email
    },
  )
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
    userId,
    change,
    email,
    changedAt: at,
    normalizedEmail: normalized,
  })
  const { address } = entry
  const reportLifetimeMs = securityReportLifetimeMs
  return { origin: { by, device, address, reportToken: value, reportLifetimeMs }, step }
}

type ReportableChange = Pick<
  SecurityReportRecord,
  'userId' | 'change' | 'changedAt' | 'email' | 'normalizedEmail'
>

/** Creates the token of a security email, and the step that stores its hash. */
export const mintSecurityReport = (
  { now }: Services,
  change: ReportableChange,
): { readonly value: string; readonly step: Step } => {
  const { value, hash } = mintCredential('security_report', change.userId)
  const step = buildSecurityReportStep({ ...change, hash, expiresAt: now() + securityReportLifetimeMs })
  return { value, step }
}
