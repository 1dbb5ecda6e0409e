import { createEnvelope, type EmailRecipient } from '../../lib/accounts/common/envelope.ts'
import type { Refund } from '../../lib/accounts/common/throttle.ts'
import { defaultBranding } from '../../lib/branding/branding.ts'
import type { AuditEventName } from '../../lib/contract/audit-events.ts'
import { defaultLanguage } from '../../lib/i18n/languages.ts'
import type { Email } from '../../lib/mail/email.ts'
import type { Envelope } from '../../lib/mail/envelope.ts'
import { loadEmailMessages } from '../../lib/mail/translate.ts'
import type { Services } from '../../lib/services.ts'
import type { Step } from '../../lib/store/engine/transaction.ts'
import type { OutboxEntry } from '../../lib/store/mail/outbox.ts'

/**
 * Writes an email in the language of its recipient, with the branding of the service. If one of these cannot be rendered,
 * the default ones count: neither may lose an email. Write an email before the token of its link is stored, because that ends
 * an earlier link.
 */
export const writeEmail = async (
  services: Services,
  { language: requestLanguage, requestId }: OutboxEntry,
  recipient: Pick<EmailRecipient, 'to' | 'user'>,
  render: (envelope: Envelope) => Email,
): Promise<Email> => {
  const envelope = await createEnvelope(services, { ...recipient, requestLanguage })
  try {
    await loadEmailMessages(envelope.language)
    return render(envelope)
  } catch (error) {
    services.log.error('mail.rendered_plainly', { request_id: requestId, error })
    return render({ ...envelope, language: defaultLanguage, branding: defaultBranding })
  }
}

/** The email of a mail job, ready to be sent. */
export interface PreparedEmail {
  readonly email: Email
  /** The audit event that records the result, if there is one. */
  readonly audit?: { readonly event: AuditEventName; readonly user: number }
  /** The steps that record that the email was sent. They fail with `EditConflict` if that is of no interest any more. */
  readonly sent?: readonly Step[]
  /** Returns what the email consumed of a rate limit, if it was not sent. */
  readonly refund?: Refund
  /**
   * Takes the link of the email back if it was certainly not sent, so that an earlier link works again. Fails with
   * `EditConflict` if a newer link replaced it.
   */
  readonly undo?: readonly Step[]
}
