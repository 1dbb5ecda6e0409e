import { type SecurityChangeKind, securityChanges } from '../core/security-changes.ts'
import type { Email } from './email.ts'
import { renderEmail } from './render-email.ts'

export interface SecurityNoticeDetails {
  readonly to: string
  readonly username: string
  /** The origin of the service. It comes from the configuration and never from a request. */
  readonly publicUrl: string
  /** The URL of the sign-in page. */
  readonly signInUrl: string
  readonly change: SecurityChangeKind
  /** Epoch milliseconds. */
  readonly at: number
  /** Who made the change. Undefined for an administrator, whose address is not shown. */
  readonly origin: { readonly address: string; readonly browser: string } | undefined
}

/** Renders the email about a change of an account. It contains no text of a user except the username. */
export const renderSecurityNoticeEmail = (details: SecurityNoticeDetails): Email => {
  const { to, username, publicUrl, signInUrl, change, at, origin } = details
  const { subject, sentences } = securityChanges[change]
  return renderEmail({
    to,
    subject,
    before: [
      'Hello,',
      sentences.join(' '),
      `Account: ${username} at ${new URL(publicUrl).host}`,
      `Time: ${formatUtc(at)}`,
      origin ? `From: ${origin.address}, ${origin.browser}` : 'By: an administrator',
      'If this was you, you can ignore this email. If it was not you, sign in and change your password.',
    ],
    button: { label: 'Sign in', url: signInUrl },
    after: ['You cannot turn off this email, because it protects your account.'],
  })
}

const formatUtc = (ms: number): string =>
  `${new Date(ms).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC`
