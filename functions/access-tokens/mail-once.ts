import type { GiveBack } from '../../lib/accounts/throttle.ts'
import { spend } from '../../lib/accounts/throttle.ts'
import { recorded, type Visitor } from '../../lib/accounts/visitor.ts'
import { AppError, conflict } from '../../lib/core/errors.ts'
import { failureSentence, isUnsent } from '../../lib/mail/failures.ts'
import type { Mail } from '../../lib/mail/mail.ts'
import { sendMail } from '../../lib/mail/send.ts'
import type { Services } from '../../lib/services.ts'
import { type LinkMail, linkMailSent, releaseLinkMail, reserveLinkMail } from '../../lib/store/link-mails.ts'

/** Who sends what, for the record of it. */
export interface Sending {
  readonly mail: LinkMail
  readonly visitor: Visitor
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
export const mailOnce = async (
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
  await table.transact([linkMailSent(sending.mail, now()), recordOf(sending, 'succeeded')])
}

/** What comes before sending. Whatever goes wrong here, nothing was sent. */
const prepare = async (
  services: Services,
  { mail }: Sending,
  write: () => Promise<Mail>,
): Promise<{ letter: Mail; giveBack: GiveBack }> => {
  try {
    const giveBack = await spendBoth(services, mail)
    return { letter: await write(), giveBack }
  } catch (error) {
    await services.table.transact([releaseLinkMail(mail)])
    throw error
  }
}

/** The limit of the recipient first: whoever meets that one isn't to lose its share of the day to it. */
const spendBoth = async (services: Services, mail: LinkMail): Promise<GiveBack> => {
  const giveBack = await spend(services, 'linkMailsPerRecipient', `${mail.tokenId} ${mail.foldedEmail}`)
  try {
    await spend(services, 'linkMailsPerUser', String(mail.senderId))
  } catch (error) {
    await giveBack()
    throw error
  }
  return giveBack
}

/**
 * Settles what a failure leaves behind, and returns what to tell. What was certainly not sent filled no mailbox; it
 * still counts for the day of its sender, since trying costs us.
 */
const failed = async (
  { table, log }: Services,
  sending: Sending,
  giveBack: GiveBack,
  error: unknown,
): Promise<AppError> => {
  log.error('mail.failed', { request_id: sending.visitor.requestId, kind: 'access_link', error })
  if (isUnsent(error)) {
    await table.transact([releaseLinkMail(sending.mail), recordOf(sending, 'not_sent')])
    await giveBack()
  } else await table.transact([recordOf(sending, 'unknown')])
  return new AppError('upstream_failed', { detail: failureSentence(error) })
}

const recordOf = ({ mail, visitor, recipient }: Sending, outcome: string) =>
  recorded(visitor, 'access_token.mailed', { user: recipient, target: String(mail.tokenId), outcome })
