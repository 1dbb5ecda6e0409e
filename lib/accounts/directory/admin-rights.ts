import { AppError } from '../../core/errors.ts'
import { buildNonAdminGroupStep, type JoinGuard } from '../../store/directory/user-index-steps.ts'
import type { Table } from '../../store/engine/table.ts'
import type { GroupRecord } from '../../store/records/group-record.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import { getEffectivePermissions, hasAdminAccess } from '../common/permissions.ts'
import type { Caller } from '../common/principal.ts'

/*
 * Only administrators may create administrators. Otherwise every user who manages users or groups could become one:
 * by granting `system:admin-access` to a user or to a group, or by adding a user to a group that has it.
 */

/** Whether the caller is an administrator, directly or through a group, and their API token is not limited to less. */
export const isAdministrator = async (
  table: Table,
  { user, scopes }: Pick<Caller, 'user' | 'scopes'>,
): Promise<boolean> =>
  (!scopes || hasAdminAccess(scopes)) &&
  (hasAdminAccess(user.permissions) || hasAdminAccess(await getEffectivePermissions(table, user)))

/** The permissions before and after a change, and the groups that a user joins or leaves. */
export interface GrantChange {
  readonly permissions: readonly (readonly string[])[]
  readonly groups?: readonly Pick<GroupRecord, 'permissions'>[]
}

/**
 * Rejects a change that grants or revokes `system:admin-access`, or concerns a group that has it, unless the caller is an
 * administrator.
 *
 * @throws AppError `permission_denied`
 */
export const requireRightToGrant = (
  callerIsAdmin: boolean,
  { permissions, groups = [] }: GrantChange,
): void => {
  if (callerIsAdmin) return
  if (permissions.some(hasAdminAccess) || groups.some((group) => hasAdminAccess(group.permissions)))
    throw new AppError('permission_denied', {
      detail: 'Only a holder of `system:admin-access` may grant or revoke it, or change a group that has it.',
    })
}

/**
 * For callers who are not administrators: a user joins a group only while the group has no admin access, and the group's
 * version is incremented. An administrator who grants admin access to the group concurrently then gets a conflict, reads
 * the group again, and sees the new member.
 */
export const getJoinGuard = (callerIsAdmin: boolean): JoinGuard | undefined =>
  callerIsAdmin ? undefined : buildNonAdminGroupStep

/** Returns the administrators among these users. `groups` are all groups of the users. */
export const findAdministratorsAmong = (
  users: readonly UserRecord[],
  groups: readonly GroupRecord[],
): readonly UserRecord[] => {
  const adminGroups = new Set(
    groups.filter(({ permissions }) => hasAdminAccess(permissions)).map(({ id }) => id),
  )
  return users.filter(
    (user) => hasAdminAccess(user.permissions) || user.groups.some((group) => adminGroups.has(group)),
  )
}
