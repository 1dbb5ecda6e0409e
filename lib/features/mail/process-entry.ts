import { setTimeout as sleep } from 'node:timers/promises'
import { auditStep } from '../../accounts/events/write-event.ts'
import { findUserByName } from '../../accounts/names/names.ts'
import type { MailJob } from '../../accounts/outbox/job.records.ts'
import {
  buildDropStep,
  buildPutBackSteps,
  buildResumeStep,
  buildReturnStep,
  type EntryKey,
  EntryLost,
  type OutboxEntry,
  type ReadableEntry,
  startSending,
  takeEntry,
} from '../../accounts/outbox/outbox.records.ts'
import type { AuditEventName } from '../../kernel/contract/audit-events.ts'
import { buildMetricFields } from '../../kernel/log/log.ts'
import { EditConflict, type Step } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import { findUserToReset } from '../passwords/reset-tokens.ts'
import { isRejected, isUnsent } from './failures.ts'
import { prepareTestEmail } from './own-texts/write-test.ts'
import { sendEmail } from './send.ts'
import { informAdministrators, prepareAdministratorNoticeEmail } from './write-administrator-notice.ts'
import { prepareJoinCodeEmail, prepareSignInCodeEmail } from './write-code.ts'
import { prepareConfirmationEmail } from './write-confirmation.ts'
import type { PreparedEmail } from './write-email.ts'
import { prepareInvitationEmail, prepareSignUpEmail, prepareSignUpWaitingEmail } from './write-invitation.ts'
import { informOwners, prepareOrganizationEndingEmail } from './write-organization-ending.ts'
import { prepareOrganizationInvitationEmail } from './write-organization-invitation.ts'
import { informOwnersOfChange, prepareOwnerNoticeEmail } from './write-owner-notice.ts'
import { prepareCertificateEmail, prepareSetupEmail } from './write-provider-email.ts'
import { prepareResetEmail, prepareSecurityNoticeEmail } from './write-reset.ts'

/** How long to wait before an entry of another mailer is tried again. */
const pauseMs = 1000

/** How often the making of an email may fail before it is given up. In between, all other emails have their turn. */
const maxFailures = 10

/**
 * Sends the email of an outbox entry. Returns false if no email can be sent now, so that this and all later ones have to
 * wait. A failure of this email alone holds up no other: its job is put back behind them, and given up in the end. If
 * another mailer has taken the entry, this one waits for it until `waitUntilMs`, in epoch milliseconds. If that mailer
 * stopped while it sent the email, it is sent once more.
 */
export const processEntry = async (
  services: Services,
  key: EntryKey,
  waitUntilMs: number,
): Promise<boolean> => {
  const { table, config, log, now } = services
  const free = await takeFreeEntry(services, key, waitUntilMs)
  if (free === 'busy') return false
  if (!free) return true
  const taken = 'interrupted' in free ? await settleInterrupted(services, free.interrupted) : free
  if (!taken) return true
  const { job } = taken
  if (!job) {
    await giveUp(services, taken, [buildDropStep(key)])
    return true
  }
  const entry = { ...taken, job }
  const logFields = { request_id: entry.requestId, kind: job.kind }
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
    await putBack(services, entry)
    return true
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
    if (isUnsent(error)) return endUnsent(services, entry, prepared, { isRejectedAlone: isRejected(error) })
    await endUnknown(services, entry, prepared.audit?.user)
    return true
  }
  await endSent(services, entry, prepared)
  return true
}

/** Ends a job whose email was sent. What the email was about may have changed in the meantime. */
const endSent = async (services: Services, entry: ReadableEntry, prepared: PreparedEmail): Promise<void> => {
  const steps = [buildDropStep(entry), ...buildAuditSteps(services, entry, prepared, 'succeeded')]
  try {
    await services.table.transact([...steps, ...(prepared.sent ?? [])])
  } catch (error) {
    if (!(error instanceof EditConflict)) throw error
    await services.table.transact(steps)
  }
}

/** Ends a job of which no one can know whether its email was sent. */
const endUnknown = async (
  services: Services,
  entry: OutboxEntry,
  user: number | null | undefined,
): Promise<void> => {
  await services.table.transact([buildDropStep(entry), buildUnknownStep(services, entry, user)])
  services.log.error('mail.unknown', {
    request_id: entry.requestId,
    kind: entry.job?.kind ?? 'unreadable',
    ...buildMetricFields('MailUnknown', services),
  })
}

/** The audit events of emails that have one. */
const sentEvents = new Map<string, AuditEventName>([
  ['password_reset', 'password.reset_sent'],
  ['email_confirmation', 'email.confirmation_sent'],
  ['invitation', 'invitation.sent'],
  ['sign_in_code', 'email_code.sent'],
  ['organization_join_code', 'email_code.sent'],
])

/** What the code of an email is for, unless it is to sign in. */
const describeCode = (job: MailJob | undefined) =>
  job?.kind === 'organization_join_code' ? { target: `organization_invitation ${job.invitationId}` } : {}

const buildUnknownStep = (
  { now }: Services,
  { job, ...entry }: OutboxEntry,
  user: number | null | undefined,
): Step => {
  const kind = job?.kind ?? 'unreadable'
  const event = sentEvents.get(kind)
  const facts = {
    user: user ?? (job && 'userId' in job ? job.userId : null),
    ...(event ? describeCode(job) : { target: kind }),
    outcome: 'unknown',
  }
  return auditStep({ ...entry, userAgent: '', at: now() }, event ?? 'mail.given_up', facts)
}

/**
 * Records that a mailer stopped while it sent an email, which may or may not have been sent. Returns the entry if its
 * email is sent once more: the new link replaces the one of the first email. A code is not sent again, because its
 * request has nearly expired.
 */
const settleInterrupted = async (
  services: Services,
  entry: OutboxEntry,
): Promise<OutboxEntry | undefined> => {
  const { job } = entry
  const user = await findRecipientId(services, job)
  if (!job || 'requestHash' in job || entry.interruptions > 0) {
    await endUnknown(services, entry, user)
    return undefined
  }
  const audit = sentEvents.has(job.kind) ? [buildUnknownStep(services, entry, user)] : []
  try {
    await services.table.transact([buildResumeStep(entry), ...audit])
  } catch (error) {
    if (error instanceof EntryLost) return undefined
    throw error
  }
  services.log.warn('mail.interrupted', { request_id: entry.requestId, kind: job.kind })
  return { ...entry, interruptions: entry.interruptions + 1 }
}

const findRecipientId = async (services: Services, job: MailJob | undefined): Promise<number | undefined> => {
  if (job?.kind === 'password_reset') return (await findUserToReset(services, job))?.id
  if (job?.kind === 'sign_in_code') return (await findUserByName(services.table, job.name))?.id
  return undefined
}

/**
 * Takes back what the email would have changed, and returns or puts back its job. Returns whether other emails can be sent:
 * a rejection concerns this one alone.
 */
const endUnsent = async (
  services: Services,
  entry: ReadableEntry,
  prepared: PreparedEmail,
  { isRejectedAlone }: { readonly isRejectedAlone: boolean },
): Promise<boolean> => {
  const { table, log } = services
  const audit = buildAuditSteps(services, entry, prepared, 'not_sent')
  const { undo = [] } = prepared
  if (undo.length > 0)
    await table.transact(undo).catch((error: unknown) => {
      // A newer link has replaced this one already.
      if (!(error instanceof EditConflict))
        log.warn('mail.not_undone', { request_id: entry.requestId, error })
    })
  if (isRejectedAlone) await putBack(services, entry, audit)
  else
    await table.transact([buildReturnStep(entry), ...audit]).catch((error: unknown) => {
      if (!(error instanceof EntryLost)) throw error
    })
  await prepared.refund?.()
  return isRejectedAlone
}

const putBack = async (
  services: Services,
  entry: ReadableEntry,
  furtherSteps: readonly Step[] = [],
): Promise<void> => {
  if (entry.failures + 1 >= maxFailures)
    return giveUp(services, entry, [buildDropStep(entry), ...furtherSteps])
  try {
    await services.table.transact([...buildPutBackSteps(entry, services.now()), ...furtherSteps])
  } catch (error) {
    if (!(error instanceof EntryLost)) throw error
  }
}

/** Ends a job whose email cannot be made, and raises an alarm. */
const giveUp = async (services: Services, entry: OutboxEntry, steps: readonly Step[]): Promise<void> => {
  const { table, log, now } = services
  const kind = entry.job?.kind ?? 'unreadable'
  const user = entry.job && 'userId' in entry.job ? entry.job.userId : null
  const context = { ...entry, userAgent: '', at: now() }
  await table.transact([
    ...steps,
    auditStep(context, 'mail.given_up', { user, target: kind, outcome: 'not_sent' }),
  ])
  log.error('mail.given_up', {
    request_id: entry.requestId,
    kind,
    ...buildMetricFields('MailGivenUp', services),
  })
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

const prepareEmail = (services: Services, entry: ReadableEntry): Promise<PreparedEmail | undefined> => {
  const { job } = entry
  if (job.kind === 'saml_certificate_ending') return prepareCertificateEmail(services, entry, job)
  if (job.kind === 'email_text_test') return prepareTestEmail(services, entry, job)
  if (job.kind === 'saml_setup') return prepareSetupEmail(services, entry, job)
  if (job.kind === 'email_confirmation') return prepareConfirmationEmail(services, entry, job)
  if (job.kind === 'security_notice') return prepareSecurityNoticeEmail(services, entry, job)
  if (job.kind === 'administrators_notice') return informAdministrators(services, entry, job)
  if (job.kind === 'administrator_notice') return prepareAdministratorNoticeEmail(services, entry, job)
  if (job.kind === 'invitation') return prepareInvitationEmail(services, entry, job)
  if (job.kind === 'organization_invitation') return prepareOrganizationInvitationEmail(services, entry, job)
  if (job.kind === 'organization_ending') return informOwners(services, entry, job)
  if (job.kind === 'organization_ending_notice') return prepareOrganizationEndingEmail(services, entry, job)
  if (job.kind === 'owners_notice') return informOwnersOfChange(services, entry, job)
  if (job.kind === 'owner_notice') return prepareOwnerNoticeEmail(services, entry, job)
  if (job.kind === 'sign_up') return prepareSignUpEmail(services, entry, job)
  if (job.kind === 'sign_up_waiting') return prepareSignUpWaitingEmail(services, entry, job)
  if (job.kind === 'sign_in_code') return prepareSignInCodeEmail(services, entry, job)
  if (job.kind === 'organization_join_code') return prepareJoinCodeEmail(services, entry, job)
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
  return [auditStep(context, audit.event, { user: audit.user, ...describeCode(entry.job), outcome })]
}
