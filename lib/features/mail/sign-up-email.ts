import { hour } from '../../kernel/util/time.ts'
import { toConsolePage, toTokenPage } from '../pages/addresses.models.ts'
import type { Email } from './email.ts'
import { type Envelope, getHost, getProductName } from './email.ts'
import { renderEmail } from './render-email.ts'
import { createEmailTranslate } from './translate.ts'
import { quote } from './user-text.ts'

export interface SignUpEmailDetails {
  readonly token: string
  readonly lifetimeMs: number
}

/** Renders the email with a link to sign up. The token is in the fragment, which no server or `Referer` gets. */
export const renderSignUpEmail = (envelope: Envelope, { token, lifetimeMs }: SignUpEmailDetails): Email => {
  const t = createEmailTranslate(envelope.language)
  const entered = t('signUpEntered', { host: getHost(envelope) })
  return renderEmail(envelope, {
    own: { kind: 'sign_up', values: {} },
    subject: t('signUpSubject', { product: getProductName(envelope) }),
    preview: entered,
    blocks: [
      entered,
      { button: { label: t('signUpButton'), url: toTokenPage(envelope.publicUrl, 'sign-up', token) } },
      t('signUpExpiry', { hours: Math.round(lifetimeMs / hour) }),
      t('signUpIgnore'),
    ],
  })
}

/** Renders the email to someone who asks for an account although they have one. */
export const renderSignUpKnownEmail = (
  envelope: Envelope,
  { signInUrl }: { readonly signInUrl: string },
): Email => {
  const t = createEmailTranslate(envelope.language)
  const known = t('signUpKnown', { host: getHost(envelope) })
  return renderEmail(envelope, {
    own: { kind: 'sign_up_known', values: {} },
    subject: t('signUpKnownSubject', { product: getProductName(envelope) }),
    preview: known,
    blocks: [
      known,
      t('signUpKnownInstruction'),
      { button: { label: t('signInButton'), url: signInUrl } },
      t('signUpKnownIgnore'),
    ],
  })
}

/** Renders the email to an approver. */
export const renderSignUpWaitingEmail = (
  envelope: Envelope,
  { person }: { readonly person: string },
): Email => {
  const t = createEmailTranslate(envelope.language)
  const waiting = t('signUpWaiting', { person: quote(person), host: getHost(envelope) })
  return renderEmail(envelope, {
    subject: t('signUpWaitingSubject', { product: getProductName(envelope) }),
    preview: waiting,
    blocks: [
      waiting,
      { button: { label: t('signUpWaitingButton'), url: toConsolePage(envelope.publicUrl, 'sign-up') } },
      t('signUpWaitingReason'),
    ],
  })
}
