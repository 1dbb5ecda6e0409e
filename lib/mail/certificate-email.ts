import { day } from '../core/durations.ts'
import type { Email } from './email.ts'
import { toOneLine } from './one-line.ts'
import { renderEmail } from './render-email.ts'

export interface CertificateEmailDetails {
  readonly to: string
  readonly publicUrl: string
  /** The URL of the sign-in page. */
  readonly signInUrl: string
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
export const renderCertificateEmail = (details: CertificateEmailDetails): Email => {
  const { to, publicUrl, signInUrl, providerId, providerName, side, endsAt, nowMs } = details
  // The email can be late, so the certificate may have expired already.
  const hasExpired = endsAt <= nowMs
  const path = `/api/2/auth/saml/${providerId}`
  const provider = `the SAML provider “${quoteName(providerName)}” (ID ${providerId}) at ${new URL(publicUrl).host}`
  const date = new Date(endsAt).toISOString().slice(0, 10)
  return renderEmail({
    to,
    subject: `A SAML certificate ${hasExpired ? 'has expired' : `expires in ${formatDays(endsAt - nowMs)}`}`,
    before: [
      'Hello,',
      `A certificate for ${provider} ${hasExpired ? 'expired' : 'expires'} on ${date}. ` +
        'Sign-in through this provider may stop working if the certificate is not replaced.',
      side === 'idp' ? explainProviderCertificate(path) : explainOwnCertificate(path),
    ],
    button: { label: 'Sign in', url: signInUrl },
    after: ['Administrators get this email 60, 30, and 7 days before a certificate expires.'],
  })
}

const formatDays = (ms: number): string => {
  const days = Math.ceil(ms / day)
  return days === 1 ? 'a day' : `${days} days`
}

/** The name is shown between curly quotation marks, so it must not contain any. */
const quoteName = (providerName: string): string => toOneLine(providerName, 100).replaceAll(/[“”]/g, '"')

const explainProviderCertificate = (path: string): string =>
  'The certificate belongs to the identity provider. When the provider has a new one, refresh its metadata: ' +
  `POST ${path}/refresh-idp-metadata. If the provider has a metadata URL, this happens automatically every day.`

const explainOwnCertificate = (path: string): string =>
  `The certificate belongs to this service. Create a new one: POST ${path}/rotate-sp-key. The metadata of this ` +
  `service, at ${path}/metadata, then contains both. When the identity provider has read the metadata, switch to the ` +
  'new certificate: repeat the request with the body {"confirm": true}.'
