import { createEnvelope, type EmailRecipient } from '../../lib/accounts/common/envelope.ts'
import { defaultBranding } from '../../lib/branding/branding.ts'
import { defaultLanguage } from '../../lib/i18n/languages.ts'
import type { Email } from '../../lib/mail/email.ts'
import type { Envelope } from '../../lib/mail/envelope.ts'
import { loadEmailMessages } from '../../lib/mail/translate.ts'
import type { Services } from '../../lib/services.ts'
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
