import { consume, type Refund, tryRefund } from '../../accounts/callers/throttle.ts'
import { isSuppressed, type MailAddress } from '../../accounts/outbox/mail-addresses.ts'
import type { OutboxEntry } from '../../accounts/outbox/outbox.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { AuditEventName } from '../../kernel/contract/audit-events.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { defaultLanguage } from '../../kernel/i18n/languages.ts'
import type { RateLimitName } from '../../kernel/limits/rate-limits.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { getNetwork } from '../../kernel/util/network.ts'
import type { Services } from '../../services.ts'
import { defaultBranding } from '../branding/brand.models.ts'
import { findKnownPlaces } from '../sign-in/known-places.ts'
import type { Email, Envelope } from './email.ts'
import { createEnvelope, type EmailRecipient } from './envelope.ts'
import { loadEmailMessages } from './translate.ts'

/**
 * Writes an email in the language of its recipient, with the branding of the service. If one of these cannot be rendered,
 * the default ones count: neither may lose an email. Write an email before the token of its link is stored, because that ends
 * an earlier link.
 */
export const writeEmail = async (
  services: Services,
  { language: requestLanguage, requestId }: OutboxEntry,
  recipient: Pick<EmailRecipient, 'to' | 'user' | 'organization' | 'emailText'>,
  render: (envelope: Envelope) => Email,
): Promise<Email> => {
  const envelope = await createEnvelope(services, { ...recipient, requestLanguage })
  try {
    await loadEmailMessages(envelope.language)
    return render(envelope)
  } catch (error) {
    services.log.error('mail.rendered_plainly', { request_id: requestId, error })
    return render({
      ...envelope,
      language: defaultLanguage,
      branding: defaultBranding,
      emailText: undefined,
      sender: undefined,
    })
  }
}

/** The email of a mail job, ready to be sent. */
export interface PreparedEmail {
  readonly email: Email
  /** The audit event that records the result, if there is one. */
  readonly audit?: { readonly event: AuditEventName; readonly user: number }
  /** The steps that record that the email was sent. They fail with `EditConflict` if that is of no interest any more. */
  readonly sent?: readonly Step[]
  /** Returns what the email consumed of a rate limit, if it was not sent. */
  readonly refund?: Refund
  /**
   * Takes the link of the email back if it was certainly not sent, so that an earlier link works again. Fails with
   * `EditConflict` if a newer link replaced it.
   */
  readonly undo?: readonly Step[]
}

interface Notice {
  readonly to: MailAddress
  readonly userId: number
  /** The kind of the mail job, for the log. */
  readonly kind: string
  /** What the limit counts for this user apart from other notices. */
  readonly subject: string
}

/**
 * Prepares an email that informs a user. Undefined if the address is suppressed, or the user got too many about this subject. If
 * writing fails, the job is retried, or another mailer has it: the email does not count.
 */
export const prepareNotice = async (
  services: Services,
  { requestId }: OutboxEntry,
  { to, userId, kind, subject }: Notice,
  write: () => Promise<Email>,
): Promise<PreparedEmail | undefined> => {
  const isWithheld = await isSuppressed(services, to)
  const refund = isWithheld
    ? undefined
    : await tryConsume(services, 'securityNotices', `${userId}#${subject}`)
  if (!refund) {
    services.log.warn('mail.withheld', { request_id: requestId, kind, user: userId })
    return undefined
  }
  try {
    return { email: await write(), refund }
  } catch (error) {
    await tryRefund(services, refund)
    throw error
  }
}

interface RequestLimits {
  /** Counts the emails that one requester causes. */
  readonly perRequester: RateLimitName
  /** Counts the emails of an account that all strangers together cause. */
  readonly perAccount: RateLimitName
}

/**
 * Counts an email that anyone can request for a user. A known device or network, and an administrator, have a share of
 * their own. All others have a share of what strangers may request, so that a single one cannot use it up.
 */
export const consumeRequested = async (
  services: Services,
  user: UserRecord,
  entry: OutboxEntry,
  { perRequester, perAccount }: RequestLimits,
): Promise<Refund | undefined> => {
  const { id } = user
  const [known] = entry.actor === null ? findKnownPlaces(user, entry) : [`user ${entry.actor}`]
  const own = await tryConsume(services, perRequester, `${id} ${known ?? getNetwork(entry.address)}`)
  if (!own || known !== undefined) return own
  const shared = await tryConsume(services, perAccount, String(id))
  if (!shared) {
    await tryRefund(services, own)
    return undefined
  }
  return async () => {
    await Promise.all([own(), shared()])
  }
}

/** Counts one email against a limit. Returns undefined if the limit is exhausted. */
export const tryConsume = async (
  services: Services,
  name: RateLimitName,
  subject: string,
): Promise<Refund | undefined> => {
  try {
    return await consume(services, name, subject)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
