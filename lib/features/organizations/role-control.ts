import { readEntryPages } from '../../kernel/table/listing.ts'
import type { Table } from '../../kernel/table/table.ts'
import { getMembershipsListing, readMembershipEntry } from './memberships.records.ts'
import { type DeclaredRole, findStoredRoles } from './roles.records.ts'
import { listRolePermissions } from './roles.ts'

/** Whether the roles of a user allow something in any organization. Makes one table call for a user without memberships. */
export const hasRolePermissions = async (table: Table, userId: number): Promise<boolean> => {
  let declared: readonly DeclaredRole[] | undefined
  for await (const entries of readEntryPages(table, getMembershipsListing(userId), 500)) {
    if (entries.length === 0) continue
    declared ??= (await findStoredRoles(table))?.roles ?? []
    const roles = entries.flatMap((entry) => readMembershipEntry(entry).roles)
    if (listRolePermissions(declared, roles).length > 0) return true
  }
  return false
}
