import { auditStep, type RequestContext } from '../../lib/accounts/common/request-context.ts'
import { consume, type Refund, tryRefund } from '../../lib/accounts/common/throttle.ts'
import { AppError, conflict } from '../../lib/errors/errors.ts'
import type { RateLimitName } from '../../lib/limits/rate-limits.ts'
import type { Email } from '../../lib/mail/email.ts'
import { describeFailure, isUnsent } from '../../lib/mail/failures.ts'
import { sendEmail } from '../../lib/mail/send.ts'
import type { Services } from '../../lib/services.ts'
import {
  type LinkMail,
  markLinkMailSent,
  releaseLinkMail,
  reserveLinkMail,
} from '../../lib/store/links/link-mails.ts'

/** An access link email that a user asked to send. */
export interface EmailRequest {
  readonly mail: LinkMail
  readonly context: RequestContext
  /** The ID of the user that the link is for. */
  readonly recipient: number
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
    const refund = await consumeLimit('linkMailsPerRecipient', `${mail.tokenId} ${mail.normalizedEmail}`)
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

const buildAuditStep = ({ mail, context, recipient }: EmailRequest, outcome: string) =>
  auditStep(context, 'access_token.mailed', { user: recipient, target: String(mail.tokenId), outcome })
