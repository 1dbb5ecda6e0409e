import { changeSteps } from '../../accounts/events/change-event.ts'
import { normalizeUsername } from '../../accounts/names/names.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { toUserChange } from '../../accounts/users/user-change.ts'
import { editUser } from '../../accounts/users/write-users.records.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import { auditMembership } from '../organizations/audit-membership.ts'
import { changeRoles, findMembership, listOwnRoles } from '../organizations/memberships.records.ts'
import { mostRolesOfMember } from '../organizations/models.ts'
import { findRights } from '../organizations/roles.records.ts'
import { isGivenByDirectories } from '../organizations/roles.ts'
import { findScimGroupIds, findScimGroups } from '../provisioning/groups.records.ts'
import type { ScimUserRecord } from '../provisioning/users.records.ts'
import { buildProviderGroupsStep, findCompanyAccounts } from './accounts.records.ts'
import type { ConnectionContext } from './connection-context.ts'
import { addDirectory } from './directory-account.ts'
import { findGroupsOfDirectory, isAllowedName, syncMemberships } from './groups.ts'
import type { Connection } from './records.ts'

/*
 * What the groups of a directory give: groups of the service by the list that also decides about the groups of a sign-in, or roles in the
 * organization of the connection. What a group gave is stored apart, so that leaving it takes this and nothing else.
 */

export interface DirectoryGroupsOptions {
  /** A group that the person is about to leave. */
  readonly without?: string
  /** Runs before the first write. */
  readonly beforeWrite?: () => Promise<void>
}

/** Whether a group with this name gives something. */
export const givesRights = (provider: Connection, displayName: string): boolean =>
  provider.organization_id === null
    ? isAllowedName(provider, displayName)
    : listGroupRoles(provider, [displayName]).length > 0

/** The roles that groups with these names give. */
const listGroupRoles = ({ scim }: Connection, names: readonly string[]): readonly string[] => {
  const normalized = new Set(names.map(normalizeUsername))
  return (scim?.groupRoles ?? [])
    .filter(({ group }) => normalized.has(normalizeUsername(group)))
    .flatMap(({ roles }) => roles)
}

const isMapped = ({ organization_id: organizationId, scim, allowed_groups: allowed }: Connection): boolean =>
  (organizationId === null ? (allowed ?? []) : (scim?.groupRoles ?? [])).length > 0

/**
 * Gives a user what the groups of their person in the directory give now, and takes what they gave before. An inactive person has none.
 * Returns the user as they are then.
 */
export const syncDirectoryGroups = (
  connection: ConnectionContext,
  person: Pick<ScimUserRecord, 'id' | 'isActive' | 'identity'>,
  user: UserRecord,
  options: DirectoryGroupsOptions = {},
): Promise<UserRecord> =>
  retryConflicts(async (attempt) => {
    const { services, provider } = connection
    const current = attempt === 1 ? user : ((await findUser(services.table, user.id)) ?? user)
    const names = await findGroupNames(connection, person, options)
    if (provider.organization_id === null) return syncGroups(connection, person, current, names, options)
    await syncRoles(connection, provider.organization_id, current, names, options)
    return current
  }, 'The groups of the user kept changing. Try again.')

const findGroupNames = async (
  { services: { table }, provider }: ConnectionContext,
  { id, isActive }: Pick<ScimUserRecord, 'id' | 'isActive'>,
  { without }: DirectoryGroupsOptions,
): Promise<readonly string[]> => {
  if (!isActive || !isMapped(provider)) return []
  const ids = await findScimGroupIds(table, provider.id, id)
  const groups = await findScimGroups(
    table,
    provider.id,
    ids.filter((one) => one !== without),
  )
  return groups.map(({ displayName }) => displayName)
}

const syncGroups = async (
  connection: ConnectionContext,
  { identity }: Pick<ScimUserRecord, 'identity'>,
  user: UserRecord,
  names: readonly string[],
  { beforeWrite }: DirectoryGroupsOptions,
): Promise<UserRecord> => {
  const { services, provider, context } = connection
  const account = (await findCompanyAccounts(services.table, user)).find(
    ({ providerId, hash }) => providerId === provider.id && hash === identity,
  )
  if (!account) return user
  const { ids, guard } = await findGroupsOfDirectory(connection, names)
  const given = account.directoryGroups ?? []
  const { groups, fromProvider } = syncMemberships({ groups: user.groups, fromProvider: given }, ids)
  if (hasSameEntries(groups, user.groups) && hasSameEntries(fromProvider, given)) return user
  await beforeWrite?.()
  return editUser(
    services.table,
    user,
    { groups, directories: addDirectory(user, provider) },
    {
      extraSteps: [
        buildProviderGroupsStep({ ...account, directoryGroups: fromProvider }, account.groups),
        ...changeSteps(context, 'user.changed', { user: user.id, change: toUserChange(user, { groups }) }),
      ],
      guard,
    },
  )
}

const syncRoles = async (
  { services: { table }, provider, context }: ConnectionContext,
  organizationId: number,
  { id: userId }: UserRecord,
  names: readonly string[],
  { beforeWrite }: DirectoryGroupsOptions,
): Promise<void> => {
  const membership = await findMembership(table, { userId, organizationId })
  if (!membership) return
  const own = listOwnRoles(membership)
  const named = listGroupRoles(provider, names)
  const declared = named.length === 0 ? [] : await findRights(table)
  const rolesFromDirectory = [...new Set(named)].filter(
    (role) => !own.includes(role) && isGivenByDirectories(declared, role),
  )
  const given = [...own, ...rolesFromDirectory].slice(0, mostRolesOfMember)
  // A member has a role.
  const roles = given.length === 0 ? ['member'] : given
  if (hasSameEntries(roles, membership.roles)) return
  await beforeWrite?.()
  const changes = {
    roles,
    rolesFromDirectory,
    directoryId: provider.id,
    rolesGivenBy: membership.rolesGivenBy,
  }
  await changeRoles(table, membership, changes, {
    keepsOwner: true,
    extraSteps: [auditMembership(context, { before: membership, after: { ...membership, roles } })],
  })
}

/** Compares lists without duplicates, regardless of order. */
const hasSameEntries = <Entry>(a: readonly Entry[], b: readonly Entry[]): boolean =>
  a.length === b.length && a.every((entry) => b.includes(entry))
