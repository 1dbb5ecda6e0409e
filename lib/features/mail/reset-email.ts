import { minute } from '../../kernel/util/time.ts'
import type { Email } from './email.ts'
import { type Envelope, getHost, getProductName } from './email.ts'
import { renderEmail } from './render-email.ts'
import { createEmailTranslate } from './translate.ts'
import { toOneLine } from './user-text.ts'

export interface ResetEmailDetails {
  readonly username: string
  readonly token: string
  readonly lifetimeMs: number
  /** Whether the email answers a right password, because sign-in was locked. */
  readonly wasLocked?: boolean
}

/** Renders the email with a password reset link. The token is in the fragment, which no server or `Referer` gets. */
export const renderResetEmail = (envelope: Envelope, details: ResetEmailDetails): Email => {
  const { username, token, lifetimeMs, wasLocked = false } = details
  const t = createEmailTranslate(envelope.language)
  const account = { username: toOneLine(username, 255), host: getHost(envelope) }
  const requested = wasLocked ? t('resetLocked', account) : t('resetRequested', account)
  return renderEmail(envelope, {
    subject: t(wasLocked ? 'resetLockedSubject' : 'resetSubject', { product: getProductName(envelope) }),
    preview: requested,
    blocks: [
      requested,
      t('resetInstruction'),
      { button: { label: t('resetButton'), url: `${envelope.publicUrl}/reset#token=${token}` } },
      t('resetExpiry', { minutes: Math.round(lifetimeMs / minute) }),
      wasLocked ? t('resetLockedWarning') : t('resetIgnore'),
    ],
  })
}
