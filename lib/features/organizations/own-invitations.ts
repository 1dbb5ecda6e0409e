import { normalizeEmail } from '../../accounts/names/names.ts'
import { hasVerifiedEmail, isGuestUser } from '../../accounts/users/guest-state.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { requireFound } from '../../kernel/errors/errors.ts'
import type { Table } from '../../kernel/table/table.ts'
import { findOrganizationInvitation, type OrganizationInvitationRecord } from './invitations.records.ts'
import { ownerRole } from './memberships.records.ts'

/** The address for which a user sees invitations. Undefined unless it is proven to be theirs. */
export const findOwnAddress = (user: UserRecord): string | undefined =>
  hasVerifiedEmail(user) && !isGuestUser(user) ? normalizeEmail(user.email) : undefined

/** @throws AppError `not_found` unless the invitation is for the address of the user */
export const requireOwnInvitation = async (
  table: Table,
  user: UserRecord,
  id: number,
): Promise<OrganizationInvitationRecord> => {
  const invitation = await findOrganizationInvitation(table, id)
  const isOwn = invitation !== undefined && invitation.normalizedEmail === findOwnAddress(user)
  return requireFound(isOwn ? invitation : undefined, 'invitation')
}

/** Whether an invitation can only be accepted with its link: it makes an owner. */
export const requiresLink = ({ roles }: Pick<OrganizationInvitationRecord, 'roles'>): boolean =>
  roles.includes(ownerRole)
