import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { isUnsent } from '../../lib/mail/failures.ts'
import { sendMail } from '../../lib/mail/send.ts'
import type { Services } from '../../lib/services.ts'
import type { Step } from '../../lib/store/engine/transaction.ts'
import {
  buildDropStep,
  buildReturnStep,
  type OutboxEntry,
  startSending,
  takeEntry,
} from '../../lib/store/records/outbox.ts'
import { buildCertificateEmail } from './certificate-ending.ts'
import type { EmailBuilder } from './letter.ts'
import { buildResetEmail } from './reset.ts'

/**
 * Takes an entry of the outbox and sends its mail. Returns false when it certainly wasn't sent yet and should be tried
 * again; an entry whose mail may have gone out is not sent twice.
 */
export const processEntry = async (services: Services, place: string): Promise<boolean> => {
  const { table, config, log, now } = services
  const entry = await takeEntry(table, place, now())
  if (entry === 'busy') return false
  if (!entry) return true
  const told = { request_id: entry.requestId, kind: entry.errand.kind }
  if (config.mailFrom === undefined) {
    log.warn('mail.no_sender', told)
    await table.transact([buildDropStep(place)])
    return true
  }
  const letter = await written(services, entry).catch((error: unknown) => {
    log.error('mail.not_written', { ...told, error })
    return 'failed' as const
  })
  if (letter === 'failed') {
    await table.transact([buildReturnStep(place)])
    return false
  }
  if (letter === undefined) {
    await table.transact([buildDropStep(place)])
    return true
  }
  if (!(await startSending(table, entry, now()))) return true
  try {
    await sendMail(config, letter.mail)
  } catch (error) {
    log.error('mail.failed', { ...told, error })
    const isCertain = isUnsent(error)
    await table.transact(
      isCertain
        ? [buildReturnStep(place), ...records(services, entry, letter, 'not_sent')]
        : records(services, entry, letter, 'unknown'),
    )
    if (isCertain) await letter.giveBack?.()
    return !isCertain
  }
  await table.transact([buildDropStep(place), ...records(services, entry, letter, 'succeeded')])
  return true
}

const written = (services: Services, entry: OutboxEntry): Promise<EmailBuilder | undefined> =>
  entry.errand.kind === 'saml_certificate_ending'
    ? buildCertificateEmail(services, entry.errand)
    : buildResetEmail(services, entry, entry.errand)

const records = (
  { now }: Services,
  entry: OutboxEntry,
  { sent }: EmailBuilder,
  outcome: string,
): readonly Step[] =>
  sent ? [auditStep({ ...entry, userAgent: '', at: now() }, sent.event, { user: sent.user, outcome })] : []
