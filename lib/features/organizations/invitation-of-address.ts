import { findUser } from '../../accounts/users/find-users.records.ts'
import type { Services } from '../../services.ts'
import { mayStillInvite } from './access.ts'
import {
  findInvitedId,
  findOrganizationInvitation,
  type OrganizationInvitationRecord,
} from './invitations.records.ts'
import type { Membership } from './memberships.records.ts'
import { requiresLink } from './own-invitations.ts'
import { readParts } from './parts.records.ts'

/** An invitation that a person uses without its link. */
export interface UsableInvitation {
  readonly invitation: OrganizationInvitationRecord
  /** Undefined for an inviter who holds a permission of the service. */
  readonly inviterMembership: Membership | undefined
}

/**
 * Finds the open invitation of an organization to an address that somebody proved in another way than by its link. Undefined if the
 * inviter may no longer give its roles, or if it takes the link.
 */
export const findInvitationOfAddress = async (
  services: Services,
  organizationId: number,
  normalizedEmail: string,
): Promise<UsableInvitation | undefined> => {
  const { table, now } = services
  const id = await findInvitedId(table, normalizedEmail, organizationId)
  const invitation = id === undefined ? undefined : await findOrganizationInvitation(table, id)
  if (!invitation || invitation.expiresAt <= now() || requiresLink(invitation)) return undefined
  const [{ membership, declaredRoles }, inviter] = await Promise.all([
    readParts(table, invitation.invitedBy, organizationId),
    findUser(table, invitation.invitedBy),
  ])
  const mayInvite = await mayStillInvite(services, inviter, { membership, declaredRoles }, invitation)
  return mayInvite ? { invitation, inviterMembership: membership } : undefined
}
