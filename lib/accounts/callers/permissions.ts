import { type Permission, privilegedPermissions } from '../../kernel/contract/permissions.ts'
import { isOperationScope } from '../../kernel/contract/scope-names.ts'
import type { Table } from '../../kernel/table/table.ts'
import { findGroups, type GroupRecord } from '../groups/groups.records.ts'
import type { RightsLimit, UserRecord } from '../users/stored-user.records.ts'
import type { Caller } from './principal.ts'

export const adminAccess: Permission = 'system:admin-access'

export const isPrivileged = (permission: string): boolean => privilegedPermissions.includes(permission)

/** Whether a holder of these permissions has the needed one. Administrators have every permission. */
export const grants = (permissions: readonly string[], needed: string): boolean =>
  permissions.includes(needed) || permissions.includes(adminAccess)

export const hasAdminAccess = (permissions: readonly string[]): boolean => permissions.includes(adminAccess)

/** Whether a limit leaves a permission: see `directory/rights/rights-limit.ts`. API tokens and company connections control no privileged ones. */
export const allowsPermission = (
  limit: Pick<RightsLimit, 'permissions' | 'isApiToken'> | undefined,
  permission: string,
): boolean =>
  !limit || (grants(limit.permissions, permission) && !(limit.isApiToken && isPrivileged(permission)))

/**
 * Whether a permission of a group has an effect for the user. Groups change without the documents of service accounts, and without the
 * sessions of their members.
 */
export const takesFromGroups = (
  { rightsLimit, isProgram, restingRights }: GroupMember,
  permission: string,
): boolean =>
  allowsPermission(rightsLimit, permission) &&
  !(isProgram && isPrivileged(permission)) &&
  !restingRights?.fromGroups.includes(permission)

type GroupMember = Pick<UserRecord, 'rightsLimit' | 'isProgram' | 'restingRights'>

/** The permissions that the user has from these groups. */
export const selectGroupPermissions = (
  user: GroupMember,
  groups: readonly Pick<GroupRecord, 'permissions'>[],
): readonly string[] =>
  sortPermissions(
    groups.flatMap(({ permissions }) =>
      permissions.filter((permission) => takesFromGroups(user, permission)),
    ),
  )

/** The permissions of the user's groups. Makes no table call for a user without groups. */
export const getGroupPermissions = async (table: Table, user: UserRecord): Promise<readonly string[]> =>
  selectGroupPermissions(user, await findGroups(table, user.groups))

/** The user's own permissions and those of their groups. */
export const getEffectivePermissions = async (table: Table, user: UserRecord): Promise<readonly string[]> =>
  sortPermissions([...user.permissions, ...(await getGroupPermissions(table, user))])

/** Reads the groups only when the user's own permissions do not include the needed one. */
export const hasPermission = async (table: Table, user: UserRecord, needed: Permission): Promise<boolean> =>
  grants(user.permissions, needed) || grants(await getGroupPermissions(table, user), needed)

/** Limits permissions to the scopes of an API token. A token without scopes limits nothing. */
export const limitToScopes = (
  permissions: readonly string[],
  scopes: readonly string[] | undefined,
): readonly string[] => {
  if (!scopes || hasAdminAccess(scopes)) return permissions
  return scopes.filter((scope) => !isOperationScope(scope) && grants(permissions, scope))
}

/** The effective permissions of the caller, limited to the scopes of their API token. */
export const getCallerPermissions = async (
  table: Table,
  { user, scopes }: Pick<Caller, 'user' | 'scopes'>,
): Promise<readonly string[]> => limitToScopes(await getEffectivePermissions(table, user), scopes)

/**
 * The user as an API token with scopes shows them: with the permissions that remain, and without groups, because
 * products may derive rights from groups.
 */
export const withScopes = async (
  table: Table,
  user: UserRecord,
  scopes: readonly string[] | undefined,
): Promise<UserRecord> =>
  scopes ? { ...user, permissions: await getCallerPermissions(table, { user, scopes }), groups: [] } : user

/** Sorts permissions and removes duplicates. */
export const sortPermissions = (permissions: readonly string[]): readonly string[] =>
  [...new Set(permissions)].sort()
