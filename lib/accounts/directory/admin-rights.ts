import type { Table } from '../../store/engine/table.ts'
import { getEffectivePermissions, hasAdminAccess } from '../common/permissions.ts'
import type { Caller } from '../common/principal.ts'

/** Whether the caller is an administrator, directly or through a group, and their API token is not limited to less. */
export const isAdministrator = async (
  table: Table,
  { user, scopes }: Pick<Caller, 'user' | 'scopes'>,
): Promise<boolean> =>
  (!scopes || hasAdminAccess(scopes)) &&
  (hasAdminAccess(user.permissions) || hasAdminAccess(await getEffectivePermissions(table, user)))
