import type { Key } from '../../kernel/table/keys/keys.ts'
import { membershipKey, organizationKey } from '../../kernel/table/keys/organization-keys.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Item } from '../../kernel/table/transaction.ts'
import { decodeMembership, type Membership } from './memberships.records.ts'
import { decodeOrganization, type OrganizationRecord } from './records.ts'
import { chooseRightsKey, decodeRights, type RoleRights } from './roles.records.ts'

/** An organization as a user is in it, or is not. */
export interface OrganizationParts {
  readonly organization: OrganizationRecord | undefined
  readonly membership: Membership | undefined
  readonly declaredRoles: readonly RoleRights[]
}

/**
 * The items that say what a user may do in an organization, for a call that also reads others. A call about several organizations gives
 * the key of one copy of the rights, which it then reads once.
 */
export const listPartKeys = (
  userId: number,
  organizationId: number,
  rightsKey: Key = chooseRightsKey(),
): readonly Key[] => [organizationKey(organizationId), membershipKey(userId, organizationId), rightsKey]

export const decodeParts = ([organization, membership, rights]: readonly (
  | Item
  | undefined
)[]): OrganizationParts => ({
  organization: decodeOrganization(organization),
  membership: decodeMembership(membership),
  declaredRoles: decodeRights(rights),
})

/** The organization of these IDs, the membership of a user in it, and the declared roles, in one table call. */
export const readParts = async (
  table: Table,
  userId: number,
  organizationId: number,
): Promise<OrganizationParts> => decodeParts(await table.getMany(listPartKeys(userId, organizationId)))
