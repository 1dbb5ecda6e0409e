import type { Email } from './email.ts'
import { toOneLine } from './one-line.ts'
import { renderEmail } from './render-email.ts'

export interface InvitationEmailDetails {
  readonly to: string
  readonly username: string
  readonly inviter:
    | {
        /** The display name, which the inviter chose. */
        readonly name: string
        /** The email address or the username, which the inviter cannot change alone. */
        readonly account: string
      }
    | undefined
  /** The origin of the link. It comes from the configuration and never from a request. */
  readonly publicUrl: string
  readonly token: string
  readonly lifetimeMs: number
}

/** Renders the email that invites a user. The token is in the fragment, which no server or `Referer` gets. */
export const renderInvitationEmail = ({
  to,
  username,
  inviter,
  publicUrl,
  token,
  lifetimeMs,
}: InvitationEmailDetails): Email => {
  const { host } = new URL(publicUrl)
  const by = inviter
    ? `${toOneLine(inviter.name, 60)} (${toOneLine(inviter.account, 255)}) invited you to ${host}.`
    : `You were invited to ${host}.`
  return renderEmail({
    to,
    subject: `You have been invited to ${host}`,
    before: [
      'Hello,',
      `${by} An account is ready for you. Your username is ${toOneLine(username, 255)}.`,
      'To choose how you sign in, open this link:',
    ],
    button: { label: 'Accept the invitation', url: `${publicUrl}/invite#token=${token}` },
    after: [
      `The link works once and expires in ${Math.round(lifetimeMs / (24 * 60 * 60_000))} days. After that, ask for a new invitation.`,
      'If you did not expect this invitation, you can ignore this email. Without you, no one can use the link.',
    ],
  })
}
