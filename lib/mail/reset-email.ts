import type { Email } from './email.ts'
import { renderEmail } from './render-email.ts'

export interface ResetEmailDetails {
  readonly to: string
  readonly username: string
  /** The origin of the link. It comes from the configuration and never from a request. */
  readonly publicUrl: string
  readonly token: string
  readonly lifetimeMs: number
}

/** Renders the email with a password reset link. The token is in the fragment, which no server or `Referer` gets. */
export const renderResetEmail = ({ to, username, publicUrl, token, lifetimeMs }: ResetEmailDetails): Email =>
  renderEmail({
    to,
    subject: 'Choose a new password',
    before: [
      'Hello,',
      `A new password was requested for the account ${username} at ${new URL(publicUrl).host}.`,
      'To choose a new password, open this link:',
    ],
    button: { label: 'Choose a new password', url: `${publicUrl}/reset#token=${token}` },
    after: [
      `The link works once and expires in ${Math.round(lifetimeMs / 60_000)} minutes.`,
      'If you did not request this, you can ignore this email. Your password stays the same.',
    ],
  })
