import type { Decision } from '../../accounts/callers/decisions.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { countFailedLookup } from '../../accounts/callers/throttle.ts'
import { auditRefusal } from '../../accounts/events/refusals.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { getDisplayName } from '../../accounts/users/user-body.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { isSameHash, parseCredential } from '../../kernel/secrets/credentials.ts'
import type { Services } from '../../services.ts'
import { mayStillInvite } from './access.ts'
import { findOrganizationInvitation, type OrganizationInvitationRecord } from './invitations.records.ts'
import type { Membership } from './memberships.records.ts'
import { readParts } from './parts.records.ts'
import type { OrganizationRecord } from './records.ts'
import type { RoleRights } from './roles.records.ts'
import { listRolePermissions } from './roles.ts'

/** An invitation that can be accepted now. */
export interface OpenOrganizationInvitation {
  readonly invitation: OrganizationInvitationRecord
  readonly organization: OrganizationRecord
  readonly inviter: UserRecord
  /** Undefined for an inviter who holds a permission of the service. */
  readonly inviterMembership: Membership | undefined
  readonly declaredRoles: readonly RoleRights[]
}

/** @throws AppError `conflict` with the reason `organization_suspended` */
export const requireActiveOrganization = ({ state }: OrganizationRecord): void => {
  if (state !== 'active')
    throw new AppError('conflict', {
      reason: 'organization_suspended',
      detail: 'The organization is suspended, so nobody can be invited or join.',
    })
}

/**
 * Finds the invitation of a link without using it.
 *
 * @throws AppError `invalid_token`, alike for a malformed, unknown, used, revoked, replaced and expired one
 * @throws AppError `conflict` with the reason `organization_suspended` or `inviter_changed`
 * @throws AppError `too_many_requests` after too many failures
 */
export const requireOrganizationInvitation = async (
  services: Services,
  context: RequestContext,
  value: string,
): Promise<OpenOrganizationInvitation> => {
  // Rejected without reading the table, so callers do not pay for mistyped values.
  const credential = parseCredential(value)
  if (credential?.kind !== 'organization_invitation') throw new AppError('invalid_token')
  const invitation = await findOrganizationInvitation(services.table, credential.subject)
  const isValid = invitation?.hash !== undefined && isSameHash(invitation.hash, credential.hash)
  const found = isValid ? await readOpenInvitation(services, invitation) : undefined
  if (!found) {
    await auditRefusal(services, context, 'invitation.refused', { outcome: 'invalid_token' })
    await countFailedLookup(services, context)
    throw new AppError('invalid_token')
  }
  return found
}

/**
 * Reads what an invitation depends on. Returns undefined if it expired, or its organization was deleted.
 *
 * @throws AppError `conflict` with the reason `organization_suspended` or `inviter_changed`
 */
export const readOpenInvitation = async (
  services: Services,
  invitation: OrganizationInvitationRecord,
): Promise<OpenOrganizationInvitation | undefined> => {
  if (invitation.expiresAt <= services.now()) return undefined
  const [{ organization, membership, declaredRoles }, inviter] = await Promise.all([
    readParts(services.table, invitation.invitedBy, invitation.organizationId),
    findUser(services.table, invitation.invitedBy),
  ])
  if (!organization) return undefined
  requireActiveOrganization(organization)
  const giver = { membership, declaredRoles }
  if (!inviter || !(await mayStillInvite(services, inviter, giver, invitation)))
    throw new AppError('conflict', {
      reason: 'inviter_changed',
      detail:
        'The inviter may no longer give these roles. Ask the organization to send the invitation again.',
    })
  return { invitation, organization, inviter, inviterMembership: membership, declaredRoles }
}

/** What a person decides about when they accept an invitation. */
export const toJoinDecision = ({
  invitation: { id, email, roles },
  organization,
  inviter,
  declaredRoles,
}: OpenOrganizationInvitation): Decision => ({
  question: 'organization_invitation',
  id,
  // The page shows the same to people who sign in only afterwards.
  principal: undefined,
  shown: {
    organization: organization.id,
    name: organization.name,
    email,
    roles,
    permissions: listRolePermissions(declaredRoles, roles),
    inviter: getDisplayName(inviter),
  },
})
