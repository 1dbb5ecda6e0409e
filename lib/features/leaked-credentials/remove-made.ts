import { wasCommitted } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import type { RequestContext } from '../access/request-context.ts'
import { retryConflicts } from '../access/retry-conflicts.ts'
import { auditStep } from '../audit/write-event.ts'
import { findSamlConnection } from '../connections/saml/records.ts'
import { endSetupLink, findOpenLink } from '../connections/saml/setup/setup-links.ts'
import type { UserRecord } from '../directory/user.records.ts'
import {
  endOrganizationInvitation,
  findOrganizationInvitation,
} from '../organizations/invitations.records.ts'
import { deleteOrganizationToken, findTokenAndOrganization } from '../organizations/tokens.records.ts'
import type { HoldingsWith } from './holdings.records.ts'
import { findMade, type MadeKind } from './made.records.ts'
import { type FindRevoked, stillChanging } from './remove-revoked.ts'

const findRevoked = async <Kind extends MadeKind>({ table }: Services, user: UserRecord, kind: Kind) =>
  user.revokedCredentials ? findMade(table, user.id, kind, user.revokedCredentials) : []

/** The API tokens of organizations that the user created in the period that they disowned. */
const findRevokedOrganizationTokens: FindRevoked = async (services, user) =>
  (await findRevoked(services, user, 'organization_token')).map(
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
const findRevokedOrganizationInvitations: FindRevoked = async (services, user) =>
  (await findRevoked(services, user, 'organization_invitation')).map(
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

/** The set-up links that the user created then. */
const findRevokedSetupLinks: FindRevoked = async (services, user) =>
  (await findRevoked(services, user, 'saml_setup')).map(
    ({ connectionId, linkId }) =>
      async (found, context) => {
        const connection = await findSamlConnection(found.table, connectionId)
        const link = connection && findOpenLink(connection, found.now())
        if (!connection || link?.id !== linkId) return
        const { organization_id: organization } = connection
        await endSetupLink(found, connection, [
          auditStep(
            { ...context, ...(organization === null ? {} : { organization }) },
            'saml_setup.link_revoked',
            { target: `${connection.id} ${link.id}` },
          ),
        ])
      },
  )

/** What a report ends of the things that belong to others. A new kind notes its maker with `buildMadeSteps`. */
const removableThings: Readonly<Record<Extract<HoldingsWith<'report', 'since'>, MadeKind>, FindRevoked>> = {
  organization_token: findRevokedOrganizationTokens,
  organization_invitation: findRevokedOrganizationInvitations,
  saml_setup: findRevokedSetupLinks,
}

/** Ends what a user made for others in the period that they disowned. Repeating it ends the rest. */
export const removeMadeThings = async (
  services: Services,
  user: UserRecord,
  context: RequestContext,
): Promise<void> => {
  for (const find of Object.values(removableThings))
    for (const remove of await find(services, user))
      await retryConflicts(() => wasCommitted(remove(services, context)), stillChanging)
}
