import { findMailAddress } from '../../lib/accounts/common/mail-addresses.ts'
import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { buildMetricFields, type MetricName } from '../../lib/core/metrics.ts'
import type { Services } from '../../lib/services.ts'
import { findUserIdByEmail } from '../../lib/store/directory/users.ts'
import { suppressAddress } from '../../lib/store/records/suppressed-addresses.ts'
import { readFeedback } from './read-feedback.ts'

const counted: Readonly<Record<'bounce' | 'complaint', MetricName>> = {
  bounce: 'MailBounced',
  complaint: 'MailComplained',
}

/**
 * Does what a message of the topic asks for: an address that a mail came back from for good, or whose owner complained,
 * gets no more. A message that can't be read is noted and passed over, since it would never be better the next time.
 *
 * @throws whatever the table throws, so that the message is brought again.
 */
export const handleFeedback = async (
  services: Services,
  messageId: string,
  message: string,
): Promise<void> => {
  const { log, now } = services
  const feedback = readFeedback(message)
  if (feedback === undefined) log.warn('mail_event.unreadable', { message: messageId })
  if (feedback === undefined || feedback === 'passing') return
  const { reason, feedbackId } = feedback
  for (const written of feedback.addresses) {
    const isNew = await suppress(services, messageId, written, { reason, feedbackId, since: now() })
    if (isNew)
      log.info('mail.suppressed', {
        message: messageId,
        reason,
        ...buildMetricFields(counted[reason], services),
      })
  }
}

const suppress = async (
  { table }: Services,
  messageId: string,
  written: string,
  suppression: Parameters<typeof suppressAddress>[2],
): Promise<boolean> => {
  const recipient = findMailAddress(/<([^<>]+)>\s*$/.exec(written)?.[1] ?? written)
  if (!recipient) return false
  const { reason, since } = suppression
  // Nobody asked for this: the mail service has no account here, and no address.
  const origin = { address: '', userAgent: '', requestId: messageId, actor: null, at: since }
  const user = (await findUserIdByEmail(table, recipient.normalized)) ?? null
  const record = auditStep(origin, 'mail.suppressed', { user, target: reason })
  return suppressAddress(table, recipient.normalized, suppression, [record])
}
