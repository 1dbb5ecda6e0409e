import { setTimeout as sleep } from 'node:timers/promises'
import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { isUnsent } from '../../lib/mail/failures.ts'
import { sendEmail } from '../../lib/mail/send.ts'
import type { Services } from '../../lib/services.ts'
import type { Step } from '../../lib/store/engine/transaction.ts'
import {
  buildDropStep,
  buildReturnStep,
  type EntryKey,
  EntryLost,
  type OutboxEntry,
  startSending,
  takeEntry,
} from '../../lib/store/records/outbox.ts'
import { prepareCertificateEmail } from './certificate-email.ts'
import { prepareConfirmationEmail } from './confirmation-email.ts'
import { prepareInvitationEmail } from './invitation-email.ts'
import type { PreparedEmail } from './prepared-email.ts'
import { prepareResetEmail } from './reset-email.ts'
import { prepareSecurityNoticeEmail } from './security-notice-email.ts'
import { prepareSignInCodeEmail } from './sign-in-code-email.ts'

/** How long to wait before an entry of another mailer is tried again. */
const pauseMs = 1000

/**
 * Sends the email of an outbox entry. Returns false if the email was certainly not sent and should be retried. An
 * email that may have been sent is never sent again. If another mailer has taken the entry, this one waits for it until
 * `waitUntilMs`, in epoch milliseconds.
 */
export const processEntry = async (
  services: Services,
  key: EntryKey,
  waitUntilMs: number,
): Promise<boolean> => {
  const { table, config, log, now } = services
  const entry = await takeFreeEntry(services, key, waitUntilMs)
  if (entry === 'busy') return false
  if (!entry) return true
  const logFields = { request_id: entry.requestId, kind: entry.job.kind }
  if (config.mailFrom === undefined) {
    log.warn('mail.no_sender', logFields)
    await table.transact([buildDropStep(key)])
    return true
  }
  const prepared = await prepareEmail(services, entry).catch((error: unknown) => {
    if (error instanceof EntryLost) return 'lost' as const
    log.error('mail.not_prepared', { ...logFields, error })
    return 'failed' as const
  })
  if (prepared === 'lost') return true
  if (prepared === 'failed') {
    await table.transact([buildReturnStep(key)])
    return false
  }
  if (prepared === undefined) {
    await table.transact([buildDropStep(key)])
    return true
  }
  if (!(await startSending(table, entry, now()))) return true
  try {
    await sendEmail(config, prepared.email)
  } catch (error) {
    log.error('mail.failed', { ...logFields, error })
    const canRetry = isUnsent(error)
    const steps = canRetry
      ? [buildReturnStep(key), ...buildAuditSteps(services, entry, prepared, 'not_sent')]
      : buildAuditSteps(services, entry, prepared, 'unknown')
    // DynamoDB rejects a transaction without steps. Some emails have no audit event.
    if (steps.length > 0) await table.transact(steps)
    if (canRetry) await prepared.refund?.()
    return !canRetry
  }
  await table.transact([buildDropStep(key), ...buildAuditSteps(services, entry, prepared, 'succeeded')])
  return true
}

/**
 * If the other mailer has stopped, its claim lasts longer than quick retries of the stream, and the email would be
 * abandoned. So every retry waits for the claim.
 */
const takeFreeEntry = async (
  services: Services,
  key: EntryKey,
  waitUntilMs: number,
): ReturnType<typeof takeEntry> => {
  const entry = await takeEntry(services.table, key, services.now())
  if (entry !== 'busy' || Date.now() + pauseMs > waitUntilMs) return entry
  await sleep(pauseMs)
  return takeFreeEntry(services, key, waitUntilMs)
}

const prepareEmail = (services: Services, entry: OutboxEntry): Promise<PreparedEmail | undefined> => {
  const { job } = entry
  if (job.kind === 'saml_certificate_ending') return prepareCertificateEmail(services, entry, job)
  if (job.kind === 'email_confirmation') return prepareConfirmationEmail(services, entry, job)
  if (job.kind === 'security_notice') return prepareSecurityNoticeEmail(services, entry, job)
  if (job.kind === 'invitation') return prepareInvitationEmail(services, entry, job)
  if (job.kind === 'sign_in_code') return prepareSignInCodeEmail(services, entry, job)
  return prepareResetEmail(services, entry, job)
}

const buildAuditSteps = (
  { now }: Services,
  entry: OutboxEntry,
  { audit }: PreparedEmail,
  outcome: string,
): readonly Step[] => {
  if (!audit) return []
  const context = { ...entry, userAgent: '', at: now() }
  return [auditStep(context, audit.event, { user: audit.user, outcome })]
}
