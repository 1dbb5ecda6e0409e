import { parseMailAddress } from '../../lib/accounts/common/mail-addresses.ts'
import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { buildMetricFields, type MetricName } from '../../lib/log/metrics.ts'
import type { Services } from '../../lib/services.ts'
import { findUserIdByEmail } from '../../lib/store/directory/users.ts'
import { suppressAddress } from '../../lib/store/mail/suppressed-addresses.ts'
import { readFeedback } from './read-feedback.ts'

const metricNames: Readonly<Record<'bounce' | 'complaint', MetricName>> = {
  bounce: 'MailBounced',
  complaint: 'MailComplained',
}

/**
 * Handles a message about an email that bounced or that its recipient reported as spam. The address no longer receives
 * email. A message that cannot be parsed is logged and skipped, because a retry would not help.
 *
 * @throws any error of the table, so that the message is delivered again.
 */
export const handleFeedback = async (
  services: Services,
  messageId: string,
  message: string,
): Promise<void> => {
  const { log, now } = services
  const feedback = readFeedback(message)
  if (feedback === undefined) log.warn('mail_event.unreadable', { message: messageId })
  if (feedback === undefined || feedback === 'ignored') return
  const { reason, feedbackId } = feedback
  for (const address of feedback.addresses) {
    const isNew = await suppress(services, messageId, address, { reason, feedbackId, since: now() })
    if (isNew)
      log.info('mail.suppressed', {
        message: messageId,
        reason,
        ...buildMetricFields(metricNames[reason], services),
      })
  }
}

/** Returns whether the address was not suppressed before. `address` may have the form `Name <address>`. */
const suppress = async (
  { table }: Services,
  messageId: string,
  address: string,
  suppression: Parameters<typeof suppressAddress>[2],
): Promise<boolean> => {
  const recipient = parseMailAddress(/<([^<>]+)>\s*$/.exec(address)?.[1] ?? address)
  if (!recipient) return false
  const { reason, since } = suppression
  // No user requested this. The email service has no account here and no address.
  const context = { address: '', userAgent: '', requestId: messageId, actor: null, at: since }
  const user = (await findUserIdByEmail(table, recipient.normalized)) ?? null
  const audit = auditStep(context, 'mail.suppressed', { user, target: reason })
  return suppressAddress(table, recipient.normalized, suppression, [audit])
}
