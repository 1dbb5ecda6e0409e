import { tryRefund } from '../../accounts/callers/throttle.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import {
  canConfirmEmail,
  describeClaimant,
  getUnconfirmedAddress,
  mintConfirmation,
} from '../../accounts/names/email-confirmations.ts'
import type { MailJob } from '../../accounts/outbox/job.records.ts'
import { isSuppressed, parseMailAddress } from '../../accounts/outbox/mail-addresses.ts'
import { buildHeldEntryStep, type OutboxEntry } from '../../accounts/outbox/outbox.records.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import { emailConfirmationLifetimeMs } from '../../kernel/limits/limits.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import type { Services } from '../../services.ts'
import { renderConfirmationEmail } from './confirmation-email.ts'
import { type PreparedEmail, tryConsume, writeEmail } from './write-email.ts'

/**
 * Prepares the email that confirms an address. Returns undefined if the address was confirmed or changed to none, is
 * suppressed, or got too many of these emails. The limit counts the recipient, so that no one can flood an address by
 * claiming it for several accounts.
 */
export const prepareConfirmationEmail = async (
  services: Services,
  entry: OutboxEntry,
  { userId }: Extract<MailJob, { kind: 'email_confirmation' }>,
): Promise<PreparedEmail | undefined> =>
  retryConflicts(async () => {
    const { table, log, now } = services
    const user = await findUser(table, userId)
    const address = user && getUnconfirmedAddress(user)
    if (!user || !address || !canConfirmEmail(user, now())) return undefined
    const to = parseMailAddress(address.email)
    const isWithheld = !to || (await isSuppressed(services, to))
    const refund = isWithheld
      ? undefined
      : await tryConsume(services, 'emailConfirmationsPerRecipient', to.normalized)
    if (!to || !refund) {
      log.warn('mail.withheld', { request_id: entry.requestId, kind: 'email_confirmation', user: userId })
      return undefined
    }
    const { value, step, undo } = mintConfirmation(services, user, address)
    const context = { ...entry, userAgent: '', at: now() }
    const audit = auditStep(context, 'email.confirmation_link_made', { user: userId })
    try {
      const recipient = { to: to.address, user, emailText: 'email_confirmation' } as const
      const email = await writeEmail(services, entry, recipient, (envelope) =>
        renderConfirmationEmail(envelope, {
          account: describeClaimant(user),
          token: value,
          lifetimeMs: emailConfirmationLifetimeMs,
        }),
      )
      await table.transact([buildHeldEntryStep(entry), step, audit])
      return { email, audit: { event: 'email.confirmation_sent', user: userId }, refund, undo: [undo] }
    } catch (error) {
      await tryRefund(services, refund)
      throw error
    }
  }, 'The account kept changing while a confirmation link was created.')
