import { minute } from '../../kernel/util/time.ts'
import type { Email } from './email.ts'
import { type Envelope, getHost, getProductName } from './email.ts'
import { renderEmail } from './render-email.ts'
import { createEmailTranslate, joinSentences } from './translate.ts'
import { asServiceText, quote } from './user-text.ts'

export interface SignInCodeEmailDetails {
  readonly username: string
  readonly code: string
  /** The IP address that asked for the code. */
  readonly address: string
  readonly lifetimeMs: number
}

/** Renders the email with a sign-in code. It has no link, so that a forwarded or scanned email signs no one in. */
export const renderSignInCodeEmail = (envelope: Envelope, details: SignInCodeEmailDetails): Email => {
  const { username, code, address, lifetimeMs } = details
  const { language } = envelope
  const t = createEmailTranslate(language)
  const place = t('codePlace')
  const expiry = t('codeExpiry', { minutes: Math.round(lifetimeMs / minute) })
  return renderEmail(envelope, {
    // Lock screens show the subject and the preview, so neither contains the code.
    subject: t('codeSubject', { product: getProductName(envelope) }),
    preview: joinSentences(language, [place, expiry]),
    blocks: [
      t('codeInstruction', { username: quote(username), host: getHost(envelope) }),
      { code: `${code.slice(0, 4)} ${code.slice(4)}` },
      place,
      expiry,
      joinSentences(language, [t('codeOrigin', { address: asServiceText(address) }), t('codeIgnore')]),
    ],
  })
}
