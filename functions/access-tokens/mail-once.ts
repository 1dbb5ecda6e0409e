import { auditStep, type RequestContext } from '../../lib/accounts/common/request-context.ts'
import { consume, type Refund, tryRefund } from '../../lib/accounts/common/throttle.ts'
import { AppError, conflict } from '../../lib/core/errors.ts'
import type { RateLimitName } from '../../lib/core/rate-limits.ts'
import { describeFailure, isUnsent } from '../../lib/mail/failures.ts'
import type { Mail } from '../../lib/mail/mail.ts'
import { sendMail } from '../../lib/mail/send.ts'
import type { Services } from '../../lib/services.ts'
import {
  type LinkMail,
  markLinkMailSent,
  releaseLinkMail,
  reserveLinkMail,
} from '../../lib/store/links/link-mails.ts'

/** Who sends what, for the record of it. */
export interface Sending {
  readonly mail: LinkMail
  readonly context: RequestContext
  /** The id of the user that the link is for. */
  readonly recipient: number
}

/**
 * Sends a mail of a link, unless the same one went out a moment ago: then whoever asked is one whose answer got lost,
 * and it is done already.
 *
 * @throws AppError `conflict` while the same mail is being sent, or nobody knows whether it was; `too_many_requests`;
 * `upstream_failed` when it could not be sent. What was certainly not sent may be asked for again at once.
 */
export const sendOnce = async (
  services: Services,
  sending: Sending,
  write: () => Promise<Mail>,
): Promise<void> => {
  const { table, config, now } = services
  const state = await reserveLinkMail(table, sending.mail, now())
  if (state === 'sent') return
  if (state === 'unsettled')
    throw conflict('This very mail is being sent, or may have been sent: wait a minute before you try again.')
  const { letter, giveBack } = await prepare(services, sending, write)
  try {
    await sendMail(config, letter)
  } catch (error) {
    throw await failed(services, sending, giveBack, error)
  }
  await noteSent(services, sending)
}

/** What comes before sending. Whatever goes wrong here, nothing was sent, and nothing of it counts. */
const prepare = async (
  services: Services,
  { mail }: Sending,
  write: () => Promise<Mail>,
): Promise<{ letter: Mail; giveBack: Refund }> => {
  const counted: Refund[] = []
  const count = async (...limit: [name: RateLimitName, subject: string]): Promise<Refund> => {
    const giveBack = await consume(services, ...limit)
    counted.push(giveBack)
    return giveBack
  }
  try {
    // The limit of the recipient first: whoever meets that one isn't to lose its share of the day to it.
    const giveBack = await count('linkMailsPerRecipient', `${mail.tokenId} ${mail.normalizedEmail}`)
    await count('linkMailsPerUser', String(mail.senderId))
    return { letter: await write(), giveBack }
  } catch (error) {
    await Promise.all(counted.map((giveBack) => tryRefund(services, giveBack)))
    await services.table.transact([releaseLinkMail(mail)])
    throw error
  }
}

/**
 * Notes that the mail went out. It did, so this fails for nobody: who was told otherwise would send it again. The same
 * steps twice make one record.
 */
const noteSent = async ({ table, log, now }: Services, sending: Sending): Promise<void> => {
  const steps = [markLinkMailSent(sending.mail, now()), recordOf(sending, 'succeeded')]
  for (let attempt = 0; attempt < 2; attempt++)
    try {
      return await table.transact(steps)
    } catch (error) {
      log.error('mail.not_noted', { request_id: sending.context.requestId, kind: 'access_link', error })
    }
}

/**
 * Settles what a failure leaves behind, and returns what to tell. What was certainly not sent filled no mailbox; it
 * still counts for the day of its sender, since trying costs us.
 */
const failed = async (
  { table, log }: Services,
  sending: Sending,
  giveBack: Refund,
  error: unknown,
): Promise<AppError> => {
  log.error('mail.failed', { request_id: sending.context.requestId, kind: 'access_link', error })
  if (isUnsent(error)) {
    await table.transact([releaseLinkMail(sending.mail), recordOf(sending, 'not_sent')])
    await giveBack()
  } else await table.transact([recordOf(sending, 'unknown')])
  return new AppError('upstream_failed', { detail: describeFailure(error) })
}

const recordOf = ({ mail, context, recipient }: Sending, outcome: string) =>
  auditStep(context, 'access_token.mailed', { user: recipient, target: String(mail.tokenId), outcome })
