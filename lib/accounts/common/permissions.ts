import type { Permission } from '../../contract/access.ts'
import { findGroups } from '../../store/directory/groups.ts'
import type { Table } from '../../store/engine/table.ts'
import type { UserRecord } from '../../store/records/user-record.ts'

const adminAccess: Permission = 'system:admin-access'

/** Whether a holder of these permissions has the needed one. Administrators have every permission. */
export const grants = (permissions: readonly string[], needed: string): boolean =>
  permissions.includes(needed) || permissions.includes(adminAccess)

export const hasAdminAccess = (permissions: readonly string[]): boolean => permissions.includes(adminAccess)

/** The permissions of the user's groups. Makes no table call for a user without groups. */
export const getGroupPermissions = async (table: Table, user: UserRecord): Promise<readonly string[]> =>
  sortPermissions((await findGroups(table, user.groups)).flatMap(({ permissions }) => permissions))

/** The user's own permissions and those of their groups. */
export const getEffectivePermissions = async (table: Table, user: UserRecord): Promise<readonly string[]> =>
  sortPermissions([...user.permissions, ...(await getGroupPermissions(table, user))])

/** Reads the groups only when the user's own permissions do not include the needed one. */
export const hasPermission = async (table: Table, user: UserRecord, needed: Permission): Promise<boolean> =>
  grants(user.permissions, needed) || grants(await getGroupPermissions(table, user), needed)

/** Sorts permissions and removes duplicates. */
export const sortPermissions = (permissions: readonly string[]): readonly string[] =>
  [...new Set(permissions)].sort()
