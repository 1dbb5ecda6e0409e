import { requireNoImpersonation } from '../../accounts/callers/own-session.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { consume, type Refund, tryRefund } from '../../accounts/callers/throttle.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { isSuppressed, type MailAddress, parseMailAddress } from '../../accounts/outbox/mail-addresses.ts'
import { hasVerifiedEmail } from '../../accounts/users/guest-state.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { getDisplayName } from '../../accounts/users/user-body.ts'
import type { UseCase } from '../../http/use-case.ts'
import { AppError, conflict, invalidRequest } from '../../kernel/errors/errors.ts'
import type { Language } from '../../kernel/i18n/languages.ts'
import type { RateLimitName } from '../../kernel/limits/rate-limits.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import { hasMixedScripts } from '../directory/names/scripts.ts'
import type { Email } from '../mail/email.ts'
import { createEnvelope } from '../mail/envelope.ts'
import { describeFailure, isUnsent } from '../mail/failures.ts'
import { sendEmail } from '../mail/send.ts'
import type { LinkSender } from '../mail/user-text.ts'
import type { AccessLinkRecord } from './link.records.ts'
import { needsOwnLogin } from './link-session.ts'
import { type LinkMail, markLinkMailSent, releaseLinkMail, reserveLinkMail } from './mails.records.ts'
import type { accessLinks } from './operations.ts'
import type { SendLinkEmailRequest } from './requests.models.ts'
import { requireManageableLink } from './rights.ts'
import { buildLink, decryptValue, findActiveLink, findLinkProduct } from './rules.ts'
import { showObjects } from './shown-links.ts'

/**
 * Emails an access link within the request, so that the sender learns the result. Repeating the request within a
 * minute sends nothing, because the client probably lost the response.
 */
export const sendAccessTokenEmailNotification: UseCase<
  typeof accessLinks.sendAccessTokenEmailNotification
> = async ({ params, body, principal, context }, services) => {
  const link = await requireManageableLink(services, principal, params.id)
  // The email names the sender.
  requireNoImpersonation(principal)
  const active = await findActiveLink(services, link)
  if (!active)
    throw conflict(
      'The link no longer works: it has expired or is used up, the account of its recipient is not active, or its creator may no longer create such links.',
    )
  const { user: recipient, organization } = active
  const to = getAddress(body, recipient)
  if (await isSuppressed(services, to))
    throw conflict(
      'This address no longer receives email, because an earlier email bounced or was reported as spam. Pass on the link in another way.',
    )
  const { subject } = body
  const text = body.text?.trim() ? body.text : undefined
  const sender = principal.user
  const mail = { linkId: link.id, senderId: sender.id, normalizedEmail: to.normalized, subject, text }
  const about = { recipient: recipient.id, ...omitUndefined({ organization: organization?.id }) }
  await sendOnce(services, { mail, context, ...about }, () =>
    renderEmail(services, link, {
      ...{ to, recipient, sender, subject, text, language: context.language },
      organizationName: organization?.name,
    }),
  )
  return { status: 204 }
}

/** @throws AppError `invalid_request` if there is no address or email cannot be sent to it. */
const getAddress = ({ email }: SendLinkEmailRequest, recipient: UserRecord): MailAddress => {
  const given = email ?? (hasVerifiedEmail(recipient) ? recipient.email : undefined)
  const address = parseMailAddress(given ?? '')
  if (address) return address
  const message =
    given === undefined
      ? `is required because the recipient has no ${recipient.email ? 'verified ' : ''}email address`
      : 'must be an address that can receive email, with only ASCII characters before the @'
  throw invalidRequest([{ field: 'email', message }])
}

interface EmailParts {
  readonly to: MailAddress
  readonly recipient: UserRecord
  readonly sender: UserRecord
  readonly organizationName: string | undefined
  readonly subject: string | undefined
  readonly text: string | undefined
  /** The language of the sender's request. It counts if the recipient chose none. */
  readonly language: Language | undefined
}

const renderEmail = async (
  services: Services,
  link: AccessLinkRecord,
  { to, recipient, sender, organizationName, subject, text, language }: EmailParts,
): Promise<Email> => {
  const { bundles, directories } = showObjects(link)
  const envelope = await createEnvelope(services, {
    to: to.address,
    user: recipient,
    requestLanguage: language,
    productName: findLinkProduct(services.config, link)?.name,
    emailText: 'access_link',
  })
  // The texts take longer to load than most requests, and only this one needs them.
  const [{ renderLinkEmail }, { loadEmailMessages }] = await Promise.all([
    import('../mail/link-email.ts'),
    import('../mail/translate.ts'),
  ])
  await loadEmailMessages(envelope.language)
  return renderLinkEmail(envelope, {
    sender: describeSender(sender, organizationName),
    subject,
    text,
    objects: [...bundles, ...directories].map(({ name }) => name),
    // The value of the link is decrypted only for this email. It is never stored or logged in plain text.
    url: buildLink(services.config, link, await decryptValue(services, link)),
    expiresAt: link.expiresAt,
    viewsLeft: link.view_limit_enabled ? link.view_limit_left : null,
    requiresPassword: link.passwordHash !== null,
    requiresSignIn: link.require_login || needsOwnLogin(recipient),
  })
}

/** A name with words of mixed scripts can look like any other name, so the account stands for it. */
const describeSender = (sender: UserRecord, organizationName: string | undefined): LinkSender => {
  const account = sender.email || sender.username
  const name = getDisplayName(sender)
  return {
    name: isMisleading(name) ? account : name,
    account,
    ...(organizationName !== undefined &&
      !isMisleading(organizationName) && { organization: organizationName }),
  }
}

const isMisleading = (name: string): boolean => name.split(/\s/u).some(hasMixedScripts)

/** An access link email that a user asked to send. */
export interface EmailRequest {
  readonly mail: LinkMail
  readonly context: RequestContext
  /** The ID of the user that the link is for. */
  readonly recipient: number
  /** The organization of the link. */
  readonly organization?: number
}

/**
 * Sends the email of an access link, unless the same email was sent within the last minute. In that case the client
 * repeated a request because it lost the response, and nothing is left to do.
 *
 * @throws AppError `conflict` if the same email is being sent or may have been sent.
 * @throws AppError `too_many_requests` if a rate limit is exhausted.
 * @throws AppError `upstream_failed` if it could not be sent. If it was certainly not sent, it can be retried at once.
 */
export const sendOnce = async (
  services: Services,
  request: EmailRequest,
  render: () => Promise<Email>,
): Promise<void> => {
  const { table, config, now } = services
  const state = await reserveLinkMail(table, request.mail, now())
  if (state === 'sent') return
  if (state === 'unsettled')
    throw conflict('This email is being sent or may have been sent. Wait a minute before you try again.')
  const { email, refund } = await prepareEmail(services, request, render)
  try {
    await sendEmail(config, email)
  } catch (error) {
    throw await settleFailure(services, request, refund, error)
  }
  await settleSuccess(services, request)
}

/** Consumes the rate limits and renders the email. If a part of it fails, no limit stays consumed. */
const prepareEmail = async (
  services: Services,
  { mail }: EmailRequest,
  render: () => Promise<Email>,
): Promise<{ email: Email; refund: Refund }> => {
  const refunds: Refund[] = []
  const consumeLimit = async (name: RateLimitName, subject: string): Promise<Refund> => {
    const refund = await consume(services, name, subject)
    refunds.push(refund)
    return refund
  }
  try {
    // The recipient's limit comes first, so that a sender who exceeds it does not lose a part of the daily limit.
    const refund = await consumeLimit('linkMailsPerRecipient', `${mail.linkId} ${mail.normalizedEmail}`)
    await consumeLimit('linkMailsPerUser', String(mail.senderId))
    return { email: await render(), refund }
  } catch (error) {
    await Promise.all(refunds.map((refund) => tryRefund(services, refund)))
    await services.table.transact([releaseLinkMail(mail)])
    throw error
  }
}

/**
 * Records that the email was sent. A failure is only logged, because senders who see an error would send the email
 * again. Repeating the same steps writes only one audit event.
 */
const settleSuccess = async ({ table, log, now }: Services, request: EmailRequest): Promise<void> => {
  const steps = [markLinkMailSent(request.mail, now()), buildAuditStep(request, 'succeeded')]
  for (let attempt = 0; attempt < 2; attempt++)
    try {
      return await table.transact(steps)
    } catch (error) {
      log.error('mail.not_noted', { request_id: request.context.requestId, kind: 'access_link', error })
    }
}

/**
 * Records a failure and returns the error for the caller. An email that was certainly not sent does not count for its
 * recipient. It still counts for the daily limit of its sender, because the attempt costs something.
 */
const settleFailure = async (
  { table, log }: Services,
  request: EmailRequest,
  refund: Refund,
  error: unknown,
): Promise<AppError> => {
  log.error('mail.failed', { request_id: request.context.requestId, kind: 'access_link', error })
  if (isUnsent(error)) {
    await table.transact([releaseLinkMail(request.mail), buildAuditStep(request, 'not_sent')])
    await refund()
  } else await table.transact([buildAuditStep(request, 'unknown')])
  return new AppError('upstream_failed', { detail: describeFailure(error) })
}

const buildAuditStep = ({ mail, context, recipient, organization }: EmailRequest, outcome: string) =>
  auditStep(context, 'access_token.mailed', {
    user: recipient,
    target: String(mail.linkId),
    outcome,
    ...omitUndefined({ organization }),
  })
