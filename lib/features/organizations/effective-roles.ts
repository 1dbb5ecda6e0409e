import { allowsPermission } from '../../accounts/callers/permissions.ts'
import type { Principal } from '../../accounts/callers/principal.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { hasOrganizationProof } from '../sign-in/organization-sessions.ts'
import type { Membership } from './memberships.records.ts'
import { rolePermission } from './roles.ts'

/*
 * Roles have no effect while somebody who may not give roles decided how the user signs in, and so may be able to act as them: see
 * `directory/rights/rights-limit.ts`. Whatever shows or gives roles asks this file, so that none of it stays silent about that.
 */

type Limited = Pick<UserRecord, 'rightsLimit'>
type Joined = Pick<Membership, 'source' | 'needsProof'>

/**
 * Whether the roles of a membership count in no session but one that a connection of the organization opened. An invitation of the
 * organization proves the mailbox to which its link was sent, and what somebody created is theirs. Both count unless somebody else may
 * know another way in.
 */
export const hasLimitedRoles = ({ rightsLimit }: Limited, { source, needsProof }: Joined): boolean => {
  if (needsProof) return true
  const isOfMailbox = rightsLimit?.isMailedOnly === true && (source === 'invitation' || source === 'creation')
  return !isOfMailbox && !allowsPermission(rightsLimit, rolePermission)
}

/** A membership with the roles that have an effect. A sign-in by the organization's own connection counts there. */
export const limitRoles = (
  principal: Pick<Principal, 'user' | 'session' | 'actor'>,
  membership: Membership,
): Membership =>
  !hasLimitedRoles(principal.user, membership) || hasOrganizationProof(principal, membership)
    ? membership
    : { ...membership, roles: [] }

/**
 * Keeps roles from being given that would not work. Those of a member whom the company sign-in brings in work there.
 *
 * @throws AppError `conflict` with the reason `roles_limited`
 */
export const requireEffectiveRoles = (user: Limited, joined: Joined): void => {
  if (joined.source !== 'connection' && hasLimitedRoles(user, joined))
    throw new AppError('conflict', {
      reason: 'roles_limited',
      detail: `Somebody without the permission \`${rolePermission}\` decided how the user signs in, so the roles would have no effect. ${user.rightsLimit?.isMailedOnly ? 'Roles from an invitation of the organization work: invite them.' : `A holder of \`${rolePermission}\` who manages users sets a new password for the account first.`}`,
    })
}
