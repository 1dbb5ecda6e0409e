import { day } from '../../kernel/util/time.ts'
import type { Email } from './email.ts'
import { type Envelope, getHost, getProductName } from './email.ts'
import { renderEmail } from './render-email.ts'
import { createEmailTranslate, formatUtc } from './translate.ts'
import { asServiceText, quote } from './user-text.ts'

export interface CertificateEmailDetails {
  /** Where the console shows the provider. */
  readonly providerUrl: string
  readonly providerId: number
  /** The name that an administrator gave the provider. */
  readonly providerName: string
  /** Whether the certificate belongs to the identity provider or to this service. */
  readonly side: 'idp' | 'sp'
  /** Epoch milliseconds. */
  readonly endsAt: number
  readonly nowMs: number
}

/** Renders the email that warns administrators of an expiring SAML certificate and explains how to replace it. */
export const renderCertificateEmail = (envelope: Envelope, details: CertificateEmailDetails): Email => {
  const { providerUrl, providerId, providerName, side, endsAt, nowMs } = details
  const t = createEmailTranslate(envelope.language)
  // The email can be late, so the certificate may have expired already.
  const hasExpired = endsAt <= nowMs
  const heading = hasExpired
    ? t('certificateExpiredSubject')
    : t('certificateExpiresSubject', { days: Math.ceil((endsAt - nowMs) / day) })
  const warning = t(hasExpired ? 'certificateExpired' : 'certificateExpires', {
    provider: quote(providerName),
    id: asServiceText(String(providerId)),
    host: getHost(envelope),
    time: formatUtc(envelope.language, endsAt),
  })
  return renderEmail(envelope, {
    subject: t('subjectOfProduct', { product: getProductName(envelope), subject: heading }),
    heading,
    preview: warning,
    blocks: [
      warning,
      t(side === 'idp' ? 'certificateOfProvider' : 'certificateOfService'),
      { button: { label: t('certificateButton'), url: providerUrl } },
      t('certificateReason'),
    ],
  })
}
