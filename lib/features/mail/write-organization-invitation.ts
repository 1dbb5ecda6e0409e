import { mintCredential } from '../../kernel/secrets/credentials.ts'
import { EditConflict } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import { tryRefund } from '../access/throttle.ts'
import { getDisplayName } from '../directory/user-body.ts'
import { findUser } from '../directory/users.records.ts'
import { findSignUpPolicy } from '../invitations/sign-up.records.ts'
import { getDomain } from '../invitations/sign-up-rules.ts'
import { buildInvitationHashStep, findOrganizationInvitation } from '../organizations/invitations.records.ts'
import { readOrganizations } from '../organizations/records.ts'
import { renderOrganizationInvitationEmail } from './invitation-email.ts'
import type { MailJob } from './job.records.ts'
import { isSuppressed, parseMailAddress } from './mail-addresses.ts'
import { buildHeldEntryStep, type OutboxEntry } from './outbox.records.ts'
import { type PreparedEmail, tryConsume, writeEmail } from './write-email.ts'

/**
 * Creates the link of an invitation to an organization and its email. Returns undefined if the invitation ended or was sent again, the
 * organization is suspended, the inviter was deleted, or the address is refused, suppressed or got too many of these emails. The
 * inviter does not learn this. The email is the same for addresses with and without an account.
 *
 * @throws EntryLost
 */
export const prepareOrganizationInvitationEmail = async (
  services: Services,
  entry: OutboxEntry,
  { invitationId, mailId }: Extract<MailJob, { kind: 'organization_invitation' }>,
): Promise<PreparedEmail | undefined> => {
  const { table, log, now } = services
  const invitation = await findOrganizationInvitation(table, invitationId)
  if (invitation?.mailId !== mailId || invitation.expiresAt <= now()) return undefined
  const [[organization], inviter, stored] = await Promise.all([
    readOrganizations(table, [invitation.organizationId]),
    findUser(table, invitation.invitedBy),
    findSignUpPolicy(table),
  ])
  if (!inviter || organization?.state !== 'active') return undefined
  const to = parseMailAddress(invitation.email)
  const isWithheld =
    !to ||
    stored?.policy.refused_domains.includes(getDomain(to.address)) ||
    (await isSuppressed(services, to))
  const refund = isWithheld ? undefined : await tryConsume(services, 'invitationsPerRecipient', to.normalized)
  if (!refund || !to) {
    log.warn('mail.withheld', { request_id: entry.requestId, kind: 'organization_invitation' })
    return undefined
  }
  const { value, hash } = mintCredential('organization_invitation', invitationId)
  try {
    const email = await writeEmail(
      services,
      entry,
      { to: to.address, user: { language: null }, organization },
      (envelope) =>
        renderOrganizationInvitationEmail(envelope, {
          organizationId: organization.id,
          organization: organization.name,
          inviter: { name: getDisplayName(inviter), account: inviter.email ?? inviter.username },
          token: value,
          validMs: invitation.expiresAt - now(),
        }),
    )
    await table.transact([buildHeldEntryStep(entry), buildInvitationHashStep(invitation, hash)])
    return { email, refund }
  } catch (error) {
    await tryRefund(services, refund)
    if (error instanceof EditConflict) return undefined
    throw error
  }
}
