import { day } from '../core/durations.ts'
import { type SecurityChangeKind, securityChanges } from '../core/security-changes.ts'
import type { Email } from './email.ts'
import { type EmailContent, renderEmail } from './render-email.ts'

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
  readonly origin: ChangeOrigin
}

/** Who made a change. Other people than the user are shown without address and browser. */
export type ChangeOrigin =
  | {
      readonly by: 'user'
      readonly address: string
      readonly browser: string
      /** For the link to report that the change was not the user's. */
      readonly reportToken: string
      readonly reportLifetimeMs: number
    }
  | { readonly by: 'administrator' | 'service' }

/** Renders the email about a change of an account. It contains no text of a user except the username. */
export const renderSecurityNoticeEmail = (details: SecurityNoticeDetails): Email => {
  const { to, username, publicUrl, change, at, origin } = details
  const { subject, sentences } = securityChanges[change]
  const { advice, button, after } = buildAction(details)
  return renderEmail({
    to,
    subject,
    before: [
      'Hello,',
      sentences.join(' '),
      `Account: ${username} at ${new URL(publicUrl).host}`,
      `Time: ${formatUtc(at)}`,
      ...(origin.by === 'user' ? [`From: ${origin.address}, ${origin.browser}`] : []),
      ...(origin.by === 'administrator' ? ['By: an administrator'] : []),
      ...advice,
    ],
    button,
    after: [...after, 'You cannot turn off these emails, because they protect your account.'],
  })
}

type Action = Pick<EmailContent, 'button' | 'after'> & { readonly advice: readonly string[] }

const buildAction = ({ publicUrl, signInUrl, origin }: SecurityNoticeDetails): Action => {
  if (origin.by === 'user')
    return {
      advice: ['If this was you, you can ignore this email. If it was not you, open this link:'],
      button: { label: 'This wasn’t me', url: `${publicUrl}/secure#token=${origin.reportToken}` },
      after: [
        'The page explains what happens before anything changes.',
        `The link expires in ${Math.round(origin.reportLifetimeMs / day)} days.`,
      ],
    }
  return {
    advice: origin.by === 'administrator' ? ['If you did not expect this, ask your administrator.'] : [],
    button: { label: 'Sign in', url: signInUrl },
    after: [],
  }
}

const formatUtc = (ms: number): string =>
  `${new Date(ms).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC`
