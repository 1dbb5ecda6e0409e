import type { Permission } from '../../contract/access.ts'
import { findGroups } from '../../store/directory/groups.ts'
import type { Table } from '../../store/engine/table.ts'
import type { UserRecord } from '../../store/records/user-record.ts'

const adminAccess: Permission = 'system:admin-access'

/** Whether these permissions hold the one that is needed; an administrator's hold every one. */
export const grants = (permissions: readonly string[], needed: string): boolean =>
  permissions.includes(needed) || permissions.includes(adminAccess)

export const isAdmin = (permissions: readonly string[]): boolean => permissions.includes(adminAccess)

/** The permissions of the user's groups; no call to the table for a user without groups. */
export const getGroupPermissions = async (table: Table, user: UserRecord): Promise<readonly string[]> =>
  removeDuplicates((await findGroups(table, user.groups)).flatMap(({ permissions }) => permissions))

/** What the user may do: by its own permissions and by those of its groups. */
export const getEffectivePermissions = async (table: Table, user: UserRecord): Promise<readonly string[]> =>
  removeDuplicates([...user.permissions, ...(await getGroupPermissions(table, user))])

/** Asks for the groups only when the user's own permissions don't settle it. */
export const hasPermission = async (table: Table, user: UserRecord, needed: Permission): Promise<boolean> =>
  grants(user.permissions, needed) || grants(await getGroupPermissions(table, user), needed)

export const removeDuplicates = (permissions: readonly string[]): readonly string[] =>
  [...new Set(permissions)].sort()
