import type { Email } from './email.ts'
import { renderEmail } from './render-email.ts'

export interface SignInCodeEmailDetails {
  readonly to: string
  readonly username: string
  /** The origin of the service. It comes from the configuration and never from a request. */
  readonly publicUrl: string
  readonly code: string
  /** The IP address that asked for the code. */
  readonly address: string
  readonly lifetimeMs: number
}

/** Renders the email with a sign-in code. It has no link, so that a forwarded or scanned email signs no one in. */
export const renderSignInCodeEmail = (details: SignInCodeEmailDetails): Email => {
  const { to, username, publicUrl, code, address, lifetimeMs } = details
  const { host } = new URL(publicUrl)
  return renderEmail({
    to,
    // The code is not in the subject, which lock screens show.
    subject: 'Your sign-in code',
    before: [
      'Hello,',
      `Use this code to sign in to the account ${username} at ${host}:`,
      `${code.slice(0, 4)} ${code.slice(4)}`,
    ],
    after: [
      'Enter it on the page where you asked for it. It works nowhere else.',
      `The code works once and expires in ${Math.round(lifetimeMs / 60_000)} minutes.`,
      `It was requested from the address ${address}. If this was not you, ignore this email and do not pass the code on.`,
    ],
  })
}
