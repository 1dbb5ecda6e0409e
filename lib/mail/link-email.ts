import type { Email } from './email.ts'
import { toOneLine } from './one-line.ts'
import { renderEmail } from './render-email.ts'

export interface LinkEmailDetails {
  readonly to: string
  readonly sender: {
    /** The display name, which the sender chose. */
    readonly name: string
    /** The email address or the username, which the sender cannot change. */
    readonly account: string
  }
  /** The subject and the text that the sender wrote, if any. */
  readonly subject: string | undefined
  readonly text: string | undefined
  /** The names of the objects that the link opens. */
  readonly objects: readonly string[]
  readonly url: string
  readonly publicUrl: string
  /** Epoch milliseconds. */
  readonly expiresAt: number | null
  readonly viewsLeft: number | null
  readonly requiresPassword: boolean
  readonly requiresSignIn: boolean
}

/**
 * Renders the email with an access link. The heading and the facts are text of the service, and everything that the
 * sender wrote is quoted. A subject that imitates a message of the product still begins with the name of the sender.
 */
export const renderLinkEmail = (details: LinkEmailDetails): Email => {
  const name = toOneLine(details.sender.name, 60)
  const heading = `${name} shared ${describeObjects(details)} with you`
  const { host } = new URL(details.publicUrl)
  return renderEmail({
    to: details.to,
    subject: details.subject === undefined ? heading : `${name}: ${toOneLine(details.subject, 200)}`,
    heading,
    before: [`Sent on behalf of ${toOneLine(details.sender.account, 255)}, who has an account at ${host}.`],
    quote: details.text === undefined ? undefined : { by: name, text: details.text },
    button: { label: 'Open the link', url: details.url },
    after: [
      listConditions(details, name).join(' '),
      `If you don’t know ${name} or did not expect this email, you can ignore it.`,
    ],
  })
}

/** If recipients must first prove who they are, the email does not name the objects. */
const describeObjects = ({ objects, requiresPassword, requiresSignIn }: LinkEmailDetails): string => {
  const [only = '', ...others] = objects
  if (objects.length === 0 || requiresPassword || requiresSignIn) return 'something'
  return others.length > 0 ? `${objects.length} items` : `“${toOneLine(only, 80).replaceAll(/[“”]/g, '"')}”`
}

const listConditions = (details: LinkEmailDetails, name: string): readonly string[] => {
  const { requiresPassword, requiresSignIn, viewsLeft, expiresAt } = details
  return [
    ...(requiresPassword
      ? [`It is protected by a password, which is not in this email. Ask ${name} for it.`]
      : []),
    requiresSignIn ? 'You need to sign in to open it.' : warnAboutSharing(requiresPassword),
    ...(viewsLeft === null ? [] : [`It can be opened ${formatTimes(viewsLeft)}.`]),
    ...(expiresAt === null ? [] : [`It works until ${formatDate(expiresAt)} UTC.`]),
  ]
}

const warnAboutSharing = (requiresPassword: boolean): string =>
  requiresPassword
    ? 'Anyone with this link and its password can open it. Don’t share them.'
    : 'Anyone with this link can open it. Don’t share it.'

const formatTimes = (count: number): string => (count === 1 ? 'once' : `${count} times`)

const formatDate = (ms: number): string =>
  new Date(ms).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
