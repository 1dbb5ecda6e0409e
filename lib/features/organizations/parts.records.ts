import type { Key } from '../../kernel/table/keys/keys.ts'
import {
  membershipKey,
  organizationKey,
  organizationRolesKey,
} from '../../kernel/table/keys/organization-keys.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Item } from '../../kernel/table/transaction.ts'
import { decodeMembership, type Membership } from './memberships.records.ts'
import { decodeOrganization, type OrganizationRecord } from './records.ts'
import { type DeclaredRole, decodeRoles } from './roles.records.ts'

/** An organization as a user is in it, or is not. */
export interface OrganizationParts {
  readonly organization: OrganizationRecord | undefined
  readonly membership: Membership | undefined
  readonly declaredRoles: readonly DeclaredRole[]
}

/** The items that say what a user may do in an organization, for a call that also reads others. */
export const listPartKeys = (userId: number, organizationId: number): readonly Key[] => [
  organizationKey(organizationId),
  membershipKey(userId, organizationId),
  organizationRolesKey,
]

export const decodeParts = ([organization, membership, roles]: readonly (
  | Item
  | undefined
)[]): OrganizationParts => ({
  organization: decodeOrganization(organization),
  membership: decodeMembership(membership),
  declaredRoles: decodeRoles(roles)?.roles ?? [],
})

/** The organization of these IDs, the membership of a user in it, and the declared roles, in one table call. */
export const readParts = async (
  table: Table,
  userId: number,
  organizationId: number,
): Promise<OrganizationParts> => decodeParts(await table.getMany(listPartKeys(userId, organizationId)))
