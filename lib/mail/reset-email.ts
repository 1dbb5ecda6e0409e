import { renderEmail } from './layout.ts'
import type { Mail } from './mail.ts'

export interface ResetFacts {
  readonly to: string
  readonly username: string
  /** Where the service is: the link leads there and nowhere a request could have named. */
  readonly publicUrl: string
  readonly token: string
  readonly lifetimeMs: number
}

/** The mail with the link to choose a new password. The token is in the fragment: no server or Referer sees it. */
export const renderResetEmail = ({ to, username, publicUrl, token, lifetimeMs }: ResetFacts): Mail =>
  renderEmail({
    to,
    subject: 'Choose a new password',
    before: [
      'Hello,',
      `A new password was asked for, for the account ${username} at ${new URL(publicUrl).host}.`,
      'To choose one, open this link:',
    ],
    button: { label: 'Choose a new password', url: `${publicUrl}/reset#token=${token}` },
    after: [
      `The link works once, for ${Math.round(lifetimeMs / 60_000)} minutes.`,
      'If it was not you who asked, you need not do anything: your password stays as it is.',
    ],
  })
