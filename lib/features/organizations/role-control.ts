import { readEntryPages } from '../../kernel/table/listing.ts'
import type { Table } from '../../kernel/table/table.ts'
import { getMembershipsListing, readMembershipEntry } from './memberships.records.ts'
import { readOrganizations } from './records.ts'
import { findRights, type RoleRights } from './roles.records.ts'
import { listRolePermissions } from './roles.ts'

/**
 * Whether the roles of a user allow something in any organization that exists. Makes one table call for a user without memberships.
 */
export const hasRolePermissions = async (table: Table, userId: number): Promise<boolean> => {
  let declared: readonly RoleRights[] | undefined
  for await (const entries of readEntryPages(table, getMembershipsListing(userId), 500)) {
    if (entries.length === 0) continue
    declared ??= await findRights(table)
    const known = declared
    const allowing = entries
      .map(readMembershipEntry)
      .filter(({ roles }) => listRolePermissions(known, roles).length > 0)
    const found = await readOrganizations(
      table,
      allowing.map(({ organizationId }) => organizationId),
    )
    if (found.some((one) => one !== undefined)) return true
  }
  return false
}
