import { normalizeEmail } from '../../accounts/names/names.ts'
import { hasVerifiedEmail } from '../../accounts/users/guest-state.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { ConflictError } from '../../kernel/errors/errors.ts'
import { keptOutKey } from '../../kernel/table/keys/organization-keys.ts'
import type { Services } from '../../services.ts'
import { auditInvitation } from '../organizations/audit-invitation.ts'
import { auditMembership } from '../organizations/audit-membership.ts'
import type { UsableInvitation } from '../organizations/invitation-of-address.ts'
import { buildEndInvitationSteps } from '../organizations/invitations.records.ts'
import {
  beginMembership,
  buildJoinSteps,
  buildNotKeptOutStep,
  buildUnchangedMembershipStep,
  confirmMembership,
  findMembership,
} from '../organizations/memberships.records.ts'
import { buildGivenRolesSteps } from '../organizations/owner-notices.ts'
import { decodeParts, listPartKeys } from '../organizations/parts.records.ts'
import type { AnswerContext } from './connection-context.ts'
import { createConnectionError } from './errors.ts'
import type { Connection } from './records.ts'
import { isUsableAddress } from './usable-domains.ts'

/**
 * Makes a user a member of the organization that a connection belongs to, with the roles of an open invitation to an address in its proven
 * domains, or with the default roles of the connection. What the identity provider says about groups has no effect. Returns the joining,
 * which the sign-in is for. Without an organization, it takes no table call.
 *
 * If only an address leads from the person to the user, others may sign in as this user, too. So what the connection gives counts only where
 * its sign-in proves the person, until they show at one sign-in that they are both: `isProven`.
 *
 * @throws AppError `permission_denied` if the organization was deleted, is suspended, has no place, or the user is no member and nobody
 *   joins by signing in, or they were removed and are kept out
 * @throws EditConflict if the user or the organization was changed since it was read, or the user was kept out
 */
export const joinOrganization = async (
  { services, provider, context, use }: AnswerContext,
  user: UserRecord,
  { isProven, isFromDirectory }: { readonly isProven: boolean; readonly isFromDirectory: boolean },
): Promise<string | undefined> => {
  const { organization_id: organizationId, default_organization_roles: defaultRoles } = provider
  if (organizationId === null) return undefined
  const { id: userId } = user
  const refuse = (reason: string, sentence: string) =>
    createConnectionError('permission_denied', provider, reason, sentence)
  const { table, now } = services
  const [keptOut, ...parts] = await table.getMany([
    keptOutKey(userId, organizationId),
    ...listPartKeys(userId, organizationId),
  ])
  const { organization, membership } = decodeParts(parts)
  if (organization?.state !== 'active')
    throw refuse('organization_inactive', 'The organization is suspended or no longer exists here.')
  if (membership) {
    if (!isProven || !membership.needsProof) return membership.joining
    await use.reserve()
    await confirmMembership(table, membership, [
      auditMembership(context, { before: membership, after: { ...membership, needsProof: undefined } }),
    ])
    return membership.joining
  }
  const invited = keptOut ? undefined : await findInvitation(services, provider, user)
  // The directory of the organization decides who is a member.
  const roles = invited?.invitation.roles ?? defaultRoles ?? (isFromDirectory ? ['member'] : null)
  if (roles === null || keptOut)
    throw refuse('not_a_member', 'You are not a member of the organization. Ask its administrator.')
  await use.reserve()
  const joined = beginMembership({
    userId,
    organizationId,
    roles,
    source: 'connection',
    joinedAt: now(),
    rolesGivenBy: invited?.invitation.invitedBy ?? null,
    ...(!isProven && { needsProof: true as const }),
  })
  try {
    await table.transact([
      ...buildJoinSteps(organization, joined),
      buildNotKeptOutStep(joined),
      auditMembership(context, { after: joined }),
      ...(invited
        ? [
            ...buildEndInvitationSteps(invited.invitation),
            ...(invited.inviterMembership ? [buildUnchangedMembershipStep(invited.inviterMembership)] : []),
            auditInvitation(context, 'organization.invitation_accepted', invited.invitation, {
              user: userId,
              proof: 'company_sign_in',
            }),
            ...buildGivenRolesSteps(joined, now()),
          ]
        : []),
    ])
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error
    // Another sign-in of the same user was first.
    if (error.kind === 'already_member')
      return (await findMembership(table, { userId, organizationId }))?.joining
    throw refuse(
      'organization_full',
      'The organization has as many members as it can. Ask its administrator.',
    )
  }
  return joined.joining
}

/** The open invitation that a first sign-in uses up. The connection speaks for the addresses in its domains, and for no others. */
const findInvitation = async (
  services: Services,
  provider: Connection,
  user: UserRecord,
): Promise<UsableInvitation | undefined> => {
  const { organization_id: organizationId } = provider
  if (organizationId === null || !hasVerifiedEmail(user) || !isUsableAddress(provider, user.email))
    return undefined
  const { findInvitationOfAddress } = await import('../organizations/invitation-of-address.ts')
  return findInvitationOfAddress(services, organizationId, normalizeEmail(user.email))
}
