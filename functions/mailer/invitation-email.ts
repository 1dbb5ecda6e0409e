import { isActive } from '../../lib/accounts/common/active-user.ts'
import { isSuppressed, parseMailAddress } from '../../lib/accounts/common/mail-addresses.ts'
import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { tryRefund } from '../../lib/accounts/common/throttle.ts'
import { getDisplayName } from '../../lib/accounts/directory/user-body.ts'
import { getOpenInvitation } from '../../lib/accounts/invitations/invitation-state.ts'
import { invitationLifetimeMs } from '../../lib/limits/limits.ts'
import { renderInvitationEmail } from '../../lib/mail/invitation-email.ts'
import { mintCredential } from '../../lib/secrets/credentials.ts'
import type { Services } from '../../lib/services.ts'
import {
  buildInvitationLinkStep,
  buildInvitationSentStep,
} from '../../lib/store/directory/invitation-steps.ts'
import { findUser } from '../../lib/store/directory/users.ts'
import { EditConflict } from '../../lib/store/engine/transaction.ts'
import type { MailJob } from '../../lib/store/mail/mail-job.ts'
import { buildHeldEntryStep, type OutboxEntry } from '../../lib/store/mail/outbox.ts'
import type { PreparedEmail } from './prepared-email.ts'
import { tryConsume } from './try-consume.ts'
import { writeEmail } from './write-email.ts'

/**
 * Creates the link of an invitation and its email. Returns undefined if the invitation ended or a newer one replaced it,
 * or if the address is suppressed or got too many of these emails. The limit counts the recipient, so that no one can
 * flood an address by inviting it for several accounts.
 *
 * @throws EntryLost
 */
export const prepareInvitationEmail = async (
  services: Services,
  entry: OutboxEntry,
  { userId, invitationId }: Extract<MailJob, { kind: 'invitation' }>,
): Promise<PreparedEmail | undefined> => {
  const { table, log, now } = services
  const user = await findUser(table, userId)
  const invitation = user && getOpenInvitation(user)
  if (!user || invitation?.id !== invitationId || !isActive(user, now())) return undefined
  const address = parseMailAddress(user.email ?? '')
  const isWithheld = !address || (await isSuppressed(services, address))
  const refund = isWithheld
    ? undefined
    : await tryConsume(services, 'invitationsPerRecipient', address.normalized)
  if (!refund || !address) {
    log.warn('mail.withheld', { request_id: entry.requestId, kind: 'invitation', user: userId })
    return undefined
  }
  const inviter = await findUser(table, invitation.invitedBy)
  const { value, hash } = mintCredential('invitation', userId)
  const madeAt = now()
  const link = { hash, madeAt, expiresAt: madeAt + invitationLifetimeMs }
  const context = { ...entry, userAgent: '', at: madeAt }
  try {
    const email = await writeEmail(services, entry, { to: address.address, user }, (envelope) =>
      renderInvitationEmail(envelope, {
        username: user.username,
        inviter: inviter && { name: getDisplayName(inviter), account: inviter.email ?? inviter.username },
        token: value,
        lifetimeMs: invitationLifetimeMs,
      }),
    )
    await table.transact([
      buildHeldEntryStep(entry),
      buildInvitationLinkStep(userId, invitation, link, () => new EditConflict()),
      auditStep(context, 'invitation.link_made', { user: userId }),
    ])
    const sent = buildInvitationSentStep(userId, hash, madeAt, () => new EditConflict())
    return { email, audit: { event: 'invitation.sent', user: userId }, sent: [sent], refund }
  } catch (error) {
    await tryRefund(services, refund)
    if (error instanceof EditConflict) return undefined
    throw error
  }
}
