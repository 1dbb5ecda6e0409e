import { AppError } from '../../core/errors.ts'
import { buildNonAdminGroupStep, type JoinGuard } from '../../store/directory/user-index-steps.ts'
import type { Table } from '../../store/engine/table.ts'
import type { GroupRecord } from '../../store/records/group-record.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import { getEffectivePermissions, isAdmin } from '../common/permissions.ts'

/*
 * Who may make and unmake administrators. Managing users and groups is a right of its own, and would be the
 * same as being an administrator if whoever has it could give `system:admin-access`: to a user, to a group
 * with members, or by putting somebody into a group that has it.
 */

/** Whether this user is an administrator, by itself or by one of its groups. */
export const isAdministrator = async (table: Table, user: UserRecord): Promise<boolean> =>
  isAdmin(user.permissions) || isAdmin(await getEffectivePermissions(table, user))

/**
 * What a change touches that only an administrator may: permissions before and after, groups joined and left.
 */
export interface GrantChange {
  readonly permissions: readonly (readonly string[])[]
  readonly groups?: readonly Pick<GroupRecord, 'permissions'>[]
}

/**
 * Refuses a change that gives or takes `system:admin-access`, or concerns a group that has it, to everybody
 * else.
 *
 * @throws AppError `permission_denied`
 */
export const requireRightToGrant = (
  callerIsAdmin: boolean,
  { permissions, groups = [] }: GrantChange,
): void => {
  if (callerIsAdmin) return
  if (permissions.some(isAdmin) || groups.some((group) => isAdmin(group.permissions)))
    throw new AppError('permission_denied', {
      detail: 'Only a holder of system:admin-access may give or take it, or change a group that has it.',
    })
}

/**
 * For a caller who is no administrator: lets a user join a group only while it makes nobody an administrator,
 * and raises the group's version. So whoever makes it one of administrators at that moment, having read it
 * before, is told to read it again, and sees who has come in.
 */
export const getJoinGuard = (callerIsAdmin: boolean): JoinGuard | undefined =>
  callerIsAdmin ? undefined : buildNonAdminGroupStep

/** Of these users, the administrators; reads each of their groups once. */
export const findAdministratorsAmong = (
  users: readonly UserRecord[],
  groups: readonly GroupRecord[],
): readonly UserRecord[] => {
  const adminGroups = new Set(groups.filter(({ permissions }) => isAdmin(permissions)).map(({ id }) => id))
  return users.filter(
    (user) => isAdmin(user.permissions) || user.groups.some((group) => adminGroups.has(group)),
  )
}
