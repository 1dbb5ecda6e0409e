import { day } from '../core/durations.ts'
import type { Email } from './email.ts'
import { renderEmail } from './render-email.ts'

export interface ConfirmationEmailDetails {
  readonly to: string
  readonly username: string
  /** The origin of the link. It comes from the configuration and never from a request. */
  readonly publicUrl: string
  readonly token: string
  readonly lifetimeMs: number
}

/** Renders the email that confirms an address. The token is in the fragment, which no server or `Referer` gets. */
export const renderConfirmationEmail = ({
  to,
  username,
  publicUrl,
  token,
  lifetimeMs,
}: ConfirmationEmailDetails): Email =>
  renderEmail({
    to,
    subject: 'Confirm your email address',
    before: [
      'Hello,',
      `This address was entered for the account ${username} at ${new URL(publicUrl).host}.`,
      'If this is your account, confirm the address:',
    ],
    button: { label: 'Confirm this address', url: `${publicUrl}/confirm#token=${token}` },
    after: [
      `The link works once and expires in ${Math.round(lifetimeMs / day)} days.`,
      'If this is not your account, ignore this email. The account then gets no email here.',
    ],
  })
