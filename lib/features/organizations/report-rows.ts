import { auditStep } from '../../accounts/events/write-event.ts'
import type { FindRevoked } from '../../accounts/users/leak-row.ts'
import { findRevokedMade } from '../leaked-credentials/made.records.ts'
import { endOrganizationInvitation, findOrganizationInvitation } from './invitations.records.ts'
import { deleteOrganizationToken, findTokenAndOrganization } from './tokens.records.ts'

/** The API tokens of organizations that the user created in the period that they disowned. */
export const findRevokedOrganizationTokens: FindRevoked = async (services, user) =>
  (await findRevokedMade(services, user, 'organization_token')).map(
    ({ organizationId, hash }) =>
      async ({ table }, context) => {
        const { token } = await findTokenAndOrganization(table, organizationId, hash)
        if (!token) return
        const target = `${organizationId} ${token.id}`
        await deleteOrganizationToken(table, token, [
          auditStep({ ...context, organization: organizationId }, 'organization.api_token_deleted', {
            target,
          }),
        ])
      },
  )

/** The open invitations that the user sent then, unless someone else sent them again. */
export const findRevokedOrganizationInvitations: FindRevoked = async (services, user) =>
  (await findRevokedMade(services, user, 'organization_invitation')).map(
    ({ invitationId }) =>
      async ({ table }, context) => {
        const invitation = await findOrganizationInvitation(table, invitationId)
        if (invitation?.invitedBy !== user.id) return
        const { organizationId: organization, id, roles } = invitation
        await endOrganizationInvitation(table, invitation, [
          auditStep({ ...context, organization }, 'organization.invitation_revoked', {
            target: `${organization} ${id} ${roles.join(' ')}`,
          }),
        ])
      },
  )
