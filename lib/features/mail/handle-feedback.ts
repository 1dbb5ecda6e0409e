import * as z from 'zod/mini'
import { auditStep } from '../../accounts/events/write-event.ts'
import { parseMailAddress } from '../../accounts/outbox/mail-addresses.ts'
import { suppressAddress } from '../../accounts/outbox/suppressed-addresses.records.ts'
import { findUserIdByEmail } from '../../accounts/users/find-users.records.ts'
import { buildMetricFields } from '../../kernel/log/log.ts'
import type { MetricName } from '../../kernel/log/metrics.ts'
import type { Services } from '../../services.ts'

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

/** What the email service reports about an email that it accepted. */
type Feedback =
  | {
      readonly reason: 'bounce' | 'complaint'
      readonly feedbackId: string
      /** The addresses that must not receive more email, in the form that the email service uses. */
      readonly addresses: readonly string[]
    }
  /** Nothing to do: a temporary bounce, or a recipient who reported an email as not spam. */
  | 'ignored'

const shortText = z.string().check(z.minLength(1), z.maxLength(256))
const address = z.string().check(z.minLength(3), z.maxLength(512))
const recipients = z.array(z.object({ emailAddress: address })).check(z.minLength(1), z.maxLength(100))
const mail = z.object({ destination: z.array(address).check(z.maxLength(100)) })

/** Events of an SES configuration set. Fields that are not listed here are ignored. */
const SesEvent = z.discriminatedUnion('eventType', [
  z.object({
    eventType: z.literal('Bounce'),
    bounce: z.object({
      bounceType: z.enum(['Permanent', 'Transient', 'Undetermined']),
      bouncedRecipients: recipients,
      feedbackId: shortText,
    }),
    mail,
  }),
  z.object({
    eventType: z.literal('Complaint'),
    complaint: z.object({
      complainedRecipients: recipients,
      complaintFeedbackType: z.optional(z.nullable(shortText)),
      feedbackId: shortText,
    }),
    mail,
  }),
])
type SesEvent = z.output<typeof SesEvent>

/** Parses a message of the topic. Returns undefined if it is neither a bounce nor a complaint of SES. */
const readFeedback = (message: string): Feedback | undefined => {
  const result = z.safeParse(SesEvent, parseMessage(message))
  return result.success ? toFeedback(result.data) : undefined
}

const parseMessage = (message: string): unknown => {
  try {
    return JSON.parse(message)
  } catch {
    return undefined
  }
}

const toFeedback = (event: SesEvent): Feedback => {
  if (event.eventType === 'Bounce') {
    const { bounceType, bouncedRecipients, feedbackId } = event.bounce
    if (bounceType !== 'Permanent') return 'ignored'
    return { reason: 'bounce', feedbackId, addresses: getAddresses(event, bouncedRecipients) }
  }
  const { complaintFeedbackType, complainedRecipients, feedbackId } = event.complaint
  if (complaintFeedbackType === 'not-spam') return 'ignored'
  return { reason: 'complaint', feedbackId, addresses: getAddresses(event, complainedRecipients) }
}

/**
 * Returns the address that the email was sent to. Each email has one. The receiving side may name another address to
 * which the email was forwarded. Trusting it would let anyone who forwards email suppress any address.
 */
const getAddresses = (
  { mail: { destination } }: SesEvent,
  reported: readonly { readonly emailAddress: string }[],
): readonly string[] =>
  destination.length === 1 ? destination : reported.map(({ emailAddress }) => emailAddress)
