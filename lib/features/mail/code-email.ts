import { minute } from '../../kernel/util/time.ts'
import type { Email } from './email.ts'
import { type Envelope, getHost, getProductName } from './email.ts'
import type { EmailTextValues } from './own-texts/values.ts'
import { renderEmail } from './render-email.ts'
import { createEmailTranslate, joinSentences } from './translate.ts'
import { asServiceText, quote, type ServiceText } from './user-text.ts'

export interface CodeEmailDetails {
  readonly username: string
  readonly code: string
  /** The IP address that asked for the code. */
  readonly address: string
  readonly lifetimeMs: number
}

/** Renders the email with a sign-in code. */
export const renderSignInCodeEmail = (envelope: Envelope, details: CodeEmailDetails): Email => {
  const t = createEmailTranslate(envelope.language)
  const username = quote(details.username)
  return renderCodeEmail(envelope, details, {
    own: { kind: 'sign_in_code', values: { username } },
    subject: t('codeSubject', { product: getProductName(envelope) }),
    instruction: t('codeInstruction', { username, host: getHost(envelope) }),
  })
}

export interface JoinCodeEmailDetails extends CodeEmailDetails {
  /** The name of the organization. */
  readonly organization: string
}

/** Renders the email with a code to join an organization. */
export const renderJoinCodeEmail = (envelope: Envelope, details: JoinCodeEmailDetails): Email => {
  const t = createEmailTranslate(envelope.language)
  const [organization, username] = [quote(details.organization), quote(details.username)]
  return renderCodeEmail(envelope, details, {
    own: { kind: 'organization_join_code', values: { username, organization } },
    subject: t('joinCodeSubject', { organization, product: getProductName(envelope) }),
    instruction: t('joinCodeInstruction', { organization, username, host: getHost(envelope) }),
  })
}

interface CodeTexts {
  readonly own: EmailTextValues
  readonly subject: ServiceText
  /** What the code is for. */
  readonly instruction: ServiceText
}

/** The email has no link, so that a forwarded or scanned email proves nothing. */
const renderCodeEmail = (
  envelope: Envelope,
  { code, address, lifetimeMs }: CodeEmailDetails,
  { own, subject, instruction }: CodeTexts,
): Email => {
  const { language } = envelope
  const t = createEmailTranslate(language)
  const place = t('codePlace')
  const expiry = t('codeExpiry', { minutes: Math.round(lifetimeMs / minute) })
  return renderEmail(envelope, {
    own,
    // Lock screens show the subject and the preview, so neither contains the code.
    subject,
    preview: joinSentences(language, [place, expiry]),
    blocks: [
      instruction,
      { code: `${code.slice(0, 4)} ${code.slice(4)}` },
      place,
      expiry,
      joinSentences(language, [t('codeOrigin', { address: asServiceText(address) }), t('codeIgnore')]),
    ],
  })
}
