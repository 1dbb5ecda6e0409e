import { renderEmail } from './layout.ts'
import type { Mail } from './mail.ts'
import { toOneLine } from './one-line.ts'

export interface CertificateFacts {
  readonly to: string
  readonly publicUrl: string
  /** Where a person signs in. */
  readonly signInUrl: string
  readonly providerId: number
  /** As an administrator has called the provider. */
  readonly providerName: string
  /** Whether it is the identity provider's or ours. */
  readonly side: 'idp' | 'sp'
  readonly endsAt: number
  readonly nowMs: number
}

const dayMs = 24 * 60 * 60_000

/** The mail to administrators that sign-in through a provider is going to break, and what to do before. */
export const renderCertificateEmail = (facts: CertificateFacts): Mail => {
  const { to, publicUrl, signInUrl, providerId, providerName, side, endsAt, nowMs } = facts
  const days = Math.ceil((endsAt - nowMs) / dayMs)
  // A mail may be late: what it says holds when it is written.
  const hasEnded = endsAt <= nowMs
  const path = `/api/2/auth/saml/${providerId}`
  return renderEmail({
    to,
    subject: `A SAML certificate ${hasEnded ? 'has ended' : `ends in ${days === 1 ? 'a day' : `${days} days`}`}`,
    before: [
      'Hello,',
      `A certificate that sign-in at ${new URL(publicUrl).host} by the SAML provider “${nameOf(providerName)}” (number ` +
        `${providerId}) relies on ${hasEnded ? 'ended' : 'ends'} on ${new Date(endsAt).toISOString().slice(0, 10)}.`,
      ...(side === 'idp' ? theirs(path) : ours(path)),
    ],
    button: { label: 'Sign in', url: signInUrl },
    after: ['This is told to administrators 60, 30 and 7 days before, each once.'],
  })
}

/** As it stands between quotation marks of ours. */
const nameOf = (providerName: string): string => toOneLine(providerName, 100).replaceAll(/[“”]/g, '"')

const theirs = (path: string): readonly string[] => [
  'It is the identity provider’s. Once that has a new one, have its metadata read again: ' +
    `POST ${path}/refresh-idp-metadata. Where the address of its metadata is kept, that happens by itself every day.`,
]

const ours = (path: string): readonly string[] => [
  `It is ours. Make a new one: POST ${path}/rotate-sp-key. Both are then in our metadata, at ${path}/metadata. Once the ` +
    'identity provider has read that, switch to the new one: the same again with {"confirm": true}.',
]
