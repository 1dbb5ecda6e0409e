import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { disownAll } from '../../accounts/users/revoked-credentials.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { Services } from '../../services.ts'
import { findSamlConnection } from '../connections/saml/records.ts'
import { endSetupLink, findOpenLink } from '../connections/saml/setup/setup-links.ts'
import { findRevokedMade } from '../leaked-credentials/made.records.ts'
import {
  endOrganizationInvitation,
  findOrganizationInvitation,
} from '../organizations/invitations.records.ts'

/** Ends the open invitations and set-up links that a member made in one organization, of whom the membership stays. */
export const endMadeInOrganization = async (
  services: Services,
  user: UserRecord,
  organization: number,
  context: RequestContext,
): Promise<void> => {
  const { table, now } = services
  const disowned = disownAll(user)
  const there = { ...context, organization }
  for (const { invitationId } of await findRevokedMade(services, disowned, 'organization_invitation')) {
    const invitation = await findOrganizationInvitation(table, invitationId)
    if (invitation?.invitedBy !== user.id || invitation.organizationId !== organization) continue
    await endOrganizationInvitation(table, invitation, [
      auditStep(there, 'organization.invitation_revoked', {
        target: `${organization} ${invitation.id} ${invitation.roles.join(' ')}`,
      }),
    ])
  }
  for (const { connectionId, linkId } of await findRevokedMade(services, disowned, 'saml_setup')) {
    const connection = await findSamlConnection(table, connectionId)
    const link = connection && findOpenLink(connection, now())
    if (connection?.organization_id !== organization || link?.id !== linkId) continue
    await endSetupLink(services, connection, [
      auditStep(there, 'saml_setup.link_revoked', { target: `${connection.id} ${link.id}` }),
    ])
  }
}
