import { type Refund, tryRefund } from '../../accounts/callers/throttle.ts'
import type { MailJob } from '../../accounts/outbox/job.records.ts'
import { isSuppressed, parseMailAddress } from '../../accounts/outbox/mail-addresses.ts'
import { buildHeldEntryStep, type OutboxEntry } from '../../accounts/outbox/outbox.records.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import { getDisplayName } from '../../accounts/users/user-body.ts'
import { invitationDelayMs } from '../../kernel/limits/limits.ts'
import { mintCredential } from '../../kernel/secrets/credentials.ts'
import { EditConflict, wasCommitted } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import { listConnectionIds } from '../connections/organization-places.records.ts'
import { readConnections } from '../connections/records.ts'
import { findSignUpPolicy } from '../invitations/sign-up.records.ts'
import { getDomain } from '../invitations/sign-up-rules.ts'
import {
  buildDelaySteps,
  buildInvitationHashStep,
  findOrganizationInvitation,
} from '../organizations/invitations.records.ts'
import { readOrganizations } from '../organizations/records.ts'
import { renderOrganizationInvitationEmail } from './invitation-email.ts'
import { type PreparedEmail, tryConsume, writeEmail } from './write-email.ts'

/**
 * Creates the link of an invitation to an organization and its email. Returns undefined if the invitation ended or was sent again, the
 * inviter was deleted. It waits while the organization is suspended, or the address is refused, suppressed or got too many of these emails:
 * the inviter learns no more than that it waits. The email is the same for addresses with and without an account.
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
  const to = parseMailAddress(invitation.email)
  if (!inviter || !organization || !to) return undefined
  const isWithheld =
    organization.state !== 'active' ||
    stored?.policy.refused_domains.includes(getDomain(to.address)) ||
    (await isSuppressed(services, to))
  const refund = isWithheld ? undefined : await consumeInvitation(services, organization.id, to.normalized)
  if (!refund) {
    log.warn('mail.withheld', { request_id: entry.requestId, kind: 'organization_invitation' })
    const until = now() + invitationDelayMs
    await wasCommitted(table.transact([buildHeldEntryStep(entry), ...buildDelaySteps(invitation, until)]))
    return undefined
  }
  const { value, hash } = mintCredential('organization_invitation', invitationId)
  try {
    const email = await writeEmail(
      services,
      entry,
      { to: to.address, user: { language: null }, organization, emailText: 'organization_invitation' },
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

/**
 * Counts an email. An organization has a few for each address. All of them share what an address gets, and those with a proven domain
 * have a share of their own, which strangers who create organizations do not use up.
 */
const consumeInvitation = async (
  services: Services,
  organizationId: number,
  address: string,
): Promise<Refund | undefined> => {
  const own = await tryConsume(
    services,
    'invitationsPerRecipientAndOrganization',
    `${organizationId} ${address}`,
  )
  if (!own) return undefined
  const shared =
    (await tryConsume(services, 'invitationsPerRecipient', address)) ??
    ((await hasProvenDomain(services, organizationId))
      ? await tryConsume(services, 'provenInvitationsPerRecipient', address)
      : undefined)
  if (!shared) {
    await tryRefund(services, own)
    return undefined
  }
  return async () => {
    await Promise.all([own(), shared()])
  }
}

const hasProvenDomain = async ({ table }: Services, organizationId: number): Promise<boolean> => {
  const connections = await readConnections(table, await listConnectionIds(table, organizationId))
  return connections.some((one) => one?.domains.some(({ state }) => state === 'proven'))
}
