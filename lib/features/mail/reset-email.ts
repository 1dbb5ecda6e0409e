import type { ResetReason } from '../../accounts/outbox/job.records.ts'
import { minute } from '../../kernel/util/time.ts'
import { toTokenPage } from '../pages/addresses.models.ts'
import type { Email } from './email.ts'
import { type Envelope, getHost, getProductName } from './email.ts'
import { renderEmail } from './render-email.ts'
import { createEmailTranslate } from './translate.ts'
import { quote } from './user-text.ts'

export interface ResetEmailDetails {
  readonly username: string
  readonly token: string
  readonly lifetimeMs: number
  /** Why a right password led to the email. Undefined if someone asked for the link. */
  readonly reason?: ResetReason
}

/** Renders the email with a password reset link. The token is in the fragment, which no server or `Referer` gets. */
export const renderResetEmail = (envelope: Envelope, details: ResetEmailDetails): Email => {
  const { username, token, lifetimeMs, reason } = details
  const t = createEmailTranslate(envelope.language)
  const account = { username: quote(username), host: getHost(envelope) }
  const texts = {
    sign_in_locked: ['resetLockedSubject', 'resetLocked', 'resetLockedWarning'],
    password_breached: ['resetLockedSubject', 'resetBreached', 'resetLockedWarning'],
    requested: ['resetSubject', 'resetRequested', 'resetIgnore'],
  } as const
  const [subject, cause, closing] = texts[reason ?? 'requested']
  return renderEmail(envelope, {
    // Someone who knows the password is a warning, which keeps its words.
    ...(reason === undefined && { own: { kind: 'password_reset', values: { username: account.username } } }),
    subject: t(subject, { product: getProductName(envelope) }),
    preview: t(cause, account),
    blocks: [
      t(cause, account),
      t('resetInstruction'),
      { button: { label: t('resetButton'), url: toTokenPage(envelope.publicUrl, 'reset', token) } },
      t('resetExpiry', { minutes: Math.round(lifetimeMs / minute) }),
      t(closing),
    ],
  })
}
