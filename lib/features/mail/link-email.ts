import type { Email } from './email.ts'
import { type Envelope, getHost, getProductName } from './email.ts'
import { renderEmail } from './render-email.ts'
import { createEmailTranslate, formatUtc, joinSentences, type TranslateEmail } from './translate.ts'
import { type ForeignText, type LinkSender, quote, quoteSender, type ServiceText } from './user-text.ts'

export interface LinkEmailDetails {
  readonly sender: LinkSender
  /** The subject and the text that the sender wrote, if any. */
  readonly subject: string | undefined
  readonly text: string | undefined
  /** The names of the objects that the link opens. */
  readonly objects: readonly string[]
  readonly url: string
  /** Epoch milliseconds. */
  readonly expiresAt: number | null
  readonly viewsLeft: number | null
  readonly requiresPassword: boolean
  readonly requiresSignIn: boolean
}

/**
 * Renders the email with an access link. The heading and the facts are text of the service, and everything that the
 * sender wrote is quoted. A subject that imitates a message of the product still begins with the name of the sender, and
 * says that it comes through the product. No subject of the service does.
 */
export const renderLinkEmail = (envelope: Envelope, details: LinkEmailDetails): Email => {
  const { sender, subject, text, url } = details
  const t = createEmailTranslate(envelope.language)
  const product = getProductName(envelope)
  const name = quoteSender(sender, product)
  const heading = createHeading(t, details, name)
  const behalf = t('linkBehalf', { account: quote(sender.account), host: getHost(envelope) })
  return renderEmail(envelope, {
    own: { kind: 'access_link', values: { sender: name, account: quote(sender.account) } },
    subject:
      subject === undefined ? heading : t('linkSubject', { name, product, subject: quote(subject, 200) }),
    heading,
    preview: behalf,
    blocks: [
      behalf,
      ...(text === undefined ? [] : [{ quote: { intro: t('linkQuote', { name }), text } }]),
      { button: { label: t('linkButton'), url } },
      joinSentences(envelope.language, listConditions(envelope, t, details, name)),
      t('linkIgnore', { name }),
    ],
  })
}

/** If recipients must first prove who they are, the email does not name the objects. */
const createHeading = (
  t: TranslateEmail,
  { objects, requiresPassword, requiresSignIn }: LinkEmailDetails,
  name: ForeignText,
): ServiceText => {
  const [only = '', ...others] = objects
  if (objects.length === 0 || requiresPassword || requiresSignIn) return t('linkHeading', { name })
  return others.length > 0
    ? t('linkHeadingCount', { name, count: objects.length })
    : t('linkHeadingObject', { name, object: quote(only, 80) })
}

const listConditions = (
  { language }: Envelope,
  t: TranslateEmail,
  { requiresPassword, requiresSignIn, viewsLeft, expiresAt }: LinkEmailDetails,
  name: ForeignText,
): readonly ServiceText[] => [
  ...(requiresPassword ? [t('linkPassword', { name })] : []),
  requiresSignIn ? t('linkSignIn') : t(requiresPassword ? 'linkSharingWithPassword' : 'linkSharing'),
  ...(viewsLeft === null ? [] : [t('linkViews', { count: viewsLeft })]),
  ...(expiresAt === null ? [] : [t('linkExpiry', { time: formatUtc(language, expiresAt) })]),
]
