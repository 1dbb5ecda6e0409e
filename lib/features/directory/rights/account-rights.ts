import {
  allowsPermission,
  getCallerPermissions,
  getEffectivePermissions,
  grants,
  hasAdminAccess,
  isPrivileged,
} from '../../../accounts/callers/permissions.ts'
import type { Caller, Principal } from '../../../accounts/callers/principal.ts'
import { findGroups, type GroupRecord } from '../../../accounts/groups/groups.records.ts'
import { buildGroupUnchangedStep, type JoinGuard } from '../../../accounts/users/build-index-steps.records.ts'
import type { UserRecord } from '../../../accounts/users/stored-user.records.ts'
import type { Verifier } from '../../../accounts/users/user-fields.models.ts'
import { AppError, notFound } from '../../../kernel/errors/errors.ts'
import type { Table } from '../../../kernel/table/table.ts'
import type { Services } from '../../../services.ts'
import { hasRolePermissions } from '../../organizations/role-control.ts'
import { rolePermission } from '../../organizations/roles.ts'
import { createReauthenticationError, hasRecentProof } from '../../sign-in/recent-authentication.ts'

/*
 * Who may change which account, group or user template. One rule decides all of it: callers give and take only
 * permissions that they control, and change only what has no other permissions. Otherwise every user who manages users
 * could become an administrator, directly, by a group, or by signing in as another user.
 *
 * A session controls the permissions of its user. An API token controls those of its owner within its scopes, but never
 * the privileged ones: it must not turn into a session or a better account, also not in several steps. Owners of API
 * tokens who manage users are privileged themselves, so their own account is out of reach of their tokens.
 */

/** What a caller may give to others and take from them. */
export interface CallerRights {
  /** The effective permissions, limited to the scopes of the API token. */
  readonly permissions: readonly string[]
  readonly isApiToken: boolean
  /** The caller's own account, whose roles in organizations they hold. Undefined for a company connection. */
  readonly userId?: number
}

/** Reads the groups of the caller only if their own permissions do not decide. */
export const readCallerRights = async (table: Table, caller: Caller): Promise<CallerRights> => {
  const { user, kind, scopes } = caller
  const isAdmin = !scopes && hasAdminAccess(user.permissions)
  return {
    permissions: isAdmin ? user.permissions : await getCallerPermissions(table, caller),
    isApiToken: kind === 'api_token',
    userId: user.id,
  }
}

/** Whether the caller controls every permission. */
export const isUnlimited = ({ permissions, isApiToken }: CallerRights): boolean =>
  !isApiToken && hasAdminAccess(permissions)

/**
 * Rejects a change that gives or takes a permission that the caller does not control, or concerns something that has it.
 *
 * @throws AppError `permission_denied`
 */
export const requireControl = (
  rights: CallerRights,
  permissions: readonly string[],
  groups: readonly Pick<GroupRecord, 'permissions'>[] = [],
): void => {
  const concerned = [...permissions, ...groups.flatMap((group) => group.permissions)]
  const missing = concerned.find((permission) => !allowsPermission(rights, permission))
  if (missing === undefined) return
  throw new AppError('permission_denied', {
    detail: grants(rights.permissions, missing)
      ? `API tokens must not give or take \`${missing}\`, or change what has it. Sign in instead.`
      : `Only a holder of \`${missing}\` may give or take it, or change what has it.`,
  })
}

/**
 * Rejects a change of the account of a user with permissions that the caller does not control.
 *
 * @throws AppError `permission_denied`
 */
export const requireRightToChange = async (
  { table }: Services,
  caller: Caller,
  user: UserRecord,
): Promise<void> => requireControlOfAccount(table, await readCallerRights(table, caller), user)

/** The same for rights that were read. */
export const requireControlOfAccount = async (
  table: Table,
  rights: CallerRights,
  user: UserRecord,
): Promise<void> => {
  await requireControlOfUsers(table, rights, [user])
  if (allowsPermission(rights, rolePermission) || user.id === rights.userId) return
  if (await hasRolePermissions(table, user.id))
    throw new AppError('permission_denied', {
      detail: `The user has roles in an organization. Only a holder of \`${rolePermission}\` may change their account.`,
    })
}

/**
 * Rejects a change of the permissions of users with others that the caller does not control. Reads their groups together. A change of
 * how someone signs in needs `requireControlOfAccount`.
 */
export const requireControlOfUsers = async (
  table: Table,
  rights: CallerRights,
  users: readonly UserRecord[],
): Promise<void> => {
  if (isUnlimited(rights)) return
  const groups = await findGroups(
    table,
    users.flatMap((user) => user.groups),
  )
  requireControl(
    rights,
    users.flatMap((user) => user.permissions),
    groups,
  )
}

/** Something that holds permissions: a user or a template, before or after a change. */
type Holder = Pick<UserRecord, 'permissions' | 'groups'>

/**
 * Requires a recent proof of identity for a change of something that holds a privileged permission before or after the
 * change, directly or through a group. Otherwise a stolen session could make an administrator of the thief. Reads groups
 * only for a session without such a proof.
 *
 * @throws AppError `permission_denied` with the reason `reauthentication_required`
 */
export const requireProofForRights = async (
  services: Services,
  principal: Principal,
  holders: readonly Holder[],
): Promise<void> => {
  if (await hasRecentProof(services, principal)) return
  const groups = await findGroups(
    services.table,
    holders.flatMap((holder) => holder.groups),
  )
  const permissions = [...holders, ...groups].flatMap((holder) => holder.permissions)
  if (permissions.some(isPrivileged)) throw createReauthenticationError()
}

/**
 * A user joins a group only while the group has the permissions that the caller was allowed to give, and the group's
 * version is incremented. An administrator who gives the group more concurrently then gets a conflict, reads the group
 * again, and sees the new member.
 */
export const getJoinGuard = (rights: CallerRights, groups: readonly GroupRecord[]): JoinGuard | undefined => {
  if (isUnlimited(rights)) return undefined
  const permissions = new Map(groups.map((group) => [group.id, group.permissions]))
  return (groupId) => buildGroupUnchangedStep(groupId, permissions.get(groupId) ?? [])
}

/** @throws AppError `not_found` when the ID in the path is not the caller's own */
export const requireOwnId = (caller: UserRecord, id: number): void => {
  if (id !== caller.id) throw notFound('user')
}

/** Whether the caller is an administrator, directly or through a group, and their API token is not limited to less. */
export const isAdministrator = async (
  table: Table,
  { user, scopes }: Pick<Caller, 'user' | 'scopes'>,
): Promise<boolean> =>
  (!scopes || hasAdminAccess(scopes)) &&
  (hasAdminAccess(user.permissions) || hasAdminAccess(await getEffectivePermissions(table, user)))

/** Administrators vouch for the addresses of users whom they create. All other addresses wait for a confirmation. */
export const vouchesForAddresses = ({ permissions }: CallerRights): boolean => hasAdminAccess(permissions)

/** A changed address of an API token would let its thief reset the password of the account. */
export const findVerifier = (rights: CallerRights): Verifier | undefined =>
  vouchesForAddresses(rights) && !rights.isApiToken ? 'administrator' : undefined
