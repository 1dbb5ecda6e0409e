import { day } from '../../kernel/util/time.ts'
import { toTokenPage } from '../pages/addresses.models.ts'
import type { Email } from './email.ts'
import { type Envelope, getHost, getProductName } from './email.ts'
import { renderEmail } from './render-email.ts'
import { createEmailTranslate } from './translate.ts'
import { quote } from './user-text.ts'

export interface ConfirmationEmailDetails {
  /** The name of the account, as strangers may see it: see `describeClaimant`. */
  readonly account: string
  readonly token: string
  readonly lifetimeMs: number
}

/** Renders the email that confirms an address. The token is in the fragment, which no server or `Referer` gets. */
export const renderConfirmationEmail = (envelope: Envelope, details: ConfirmationEmailDetails): Email => {
  const { account, token, lifetimeMs } = details
  const t = createEmailTranslate(envelope.language)
  const entered = t('confirmationEntered', { username: quote(account), host: getHost(envelope) })
  return renderEmail(envelope, {
    own: { kind: 'email_confirmation', values: { username: quote(account) } },
    subject: t('confirmationSubject', { product: getProductName(envelope) }),
    preview: entered,
    blocks: [
      entered,
      t('confirmationInstruction'),
      { button: { label: t('confirmationButton'), url: toTokenPage(envelope.publicUrl, 'confirm', token) } },
      t('confirmationExpiry', { days: Math.round(lifetimeMs / day) }),
      t('confirmationIgnore'),
    ],
  })
}
