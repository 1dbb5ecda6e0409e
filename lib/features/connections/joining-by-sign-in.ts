import type { Table } from '../../kernel/table/table.ts'
import { listConnectionIds } from './organization-places.records.ts'
import { readConnections } from './records.ts'

/** Whether a company sign-in of an organization makes those members who are none yet, also if they were removed. */
export const makesMembers = async (table: Table, organizationId: number): Promise<boolean> => {
  const found = await readConnections(table, await listConnectionIds(table, organizationId))
  return found.some((one) => one && !one.setup && one.default_organization_roles !== null)
}
