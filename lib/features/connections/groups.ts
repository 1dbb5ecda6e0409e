import { isPrivileged } from '../../accounts/callers/permissions.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import {
  findGroupIds,
  findGroups,
  type GroupRecord,
  groupKind,
} from '../../accounts/groups/groups.records.ts'
import { normalizeUsername, validateNameField, validateUsername } from '../../accounts/names/names.ts'
import {
  buildPlainGroupStep,
  buildUnprivilegedGroupStep,
  type JoinGuard,
} from '../../accounts/users/build-index-steps.records.ts'
import { groupsPerUser } from '../../kernel/limits/limits.ts'
import { createUniqueNameRecord, NameTaken } from '../../kernel/table/unique-name-records.ts'
import { mapInBatches } from '../../kernel/util/work.ts'
import { readGroupFields } from '../directory/groups/group-body.ts'
import type { AnswerContext, ConnectionContext } from './connection-context.ts'
import type { Connection } from './records.ts'

const groupsCreatedAtOnce = 10

/** The groups that a provider names, and the guard for joining one of them. */
export interface NamedGroups {
  readonly ids: readonly number[]
  readonly guard: JoinGuard
}

/**
 * Finds the groups that a provider names and may use, in its order. Creates missing groups, without permissions, if the
 * provider is configured to. Groups with a privileged permission are left out, because an identity provider must not grant it.
 * Other groups with permissions are left out unless the provider lists them by name.
 */
export const findGroupsByName = async (
  signIn: AnswerContext,
  names: readonly string[],
): Promise<NamedGroups> => {
  const { services, provider } = signIn
  const wanted = selectUsableNames(names.filter((name) => isAllowedName(provider, name)))
  const normalized = wanted.map(normalizeUsername)
  let ids = await findGroupIds(services.table, normalized)
  const missing = wanted.filter((_, at) => ids[at] === undefined)
  if (provider.auto_create_groups && missing.length > 0) {
    await signIn.use.reserve()
    await mapInBatches(missing, groupsCreatedAtOnce, (name) => createGroup(signIn, name))
    ids = await findGroupIds(services.table, normalized)
  }
  const named = await readJoinable(signIn, ids)
  if (named.ids.length < names.length)
    services.log.info('connection.groups_left_out', {
      provider: provider.id,
      count: names.length - named.ids.length,
    })
  return named
}

/** Finds the groups that the directory of a provider names and may use. They have to exist. */
export const findGroupsOfDirectory = async (
  connection: ConnectionContext,
  names: readonly string[],
): Promise<NamedGroups> => {
  const wanted = selectUsableNames(names.filter((name) => isAllowedName(connection.provider, name)))
  return readJoinable(
    connection,
    await findGroupIds(connection.services.table, wanted.map(normalizeUsername)),
  )
}

const readJoinable = async (
  { services, provider }: ConnectionContext,
  ids: readonly (number | undefined)[],
): Promise<NamedGroups> => {
  const found = await findGroups(
    services.table,
    ids.filter((id) => id !== undefined),
  )
  const { joined, withPermissions } = selectJoinable(provider, found)
  return {
    ids: joined,
    guard: (id) => (withPermissions.includes(id) ? buildUnprivilegedGroupStep(id) : buildPlainGroupStep(id)),
  }
}

/** The IDs of the groups that users of a provider join, and those among them that have permissions. */
const selectJoinable = (provider: Connection, groups: readonly GroupRecord[]) => {
  const joinable = groups.filter(
    ({ permissions, name }) =>
      permissions.length === 0 || (!permissions.some(isPrivileged) && mayJoinWithPermissions(provider, name)),
  )
  return {
    joined: joinable.map(({ id }) => id),
    withPermissions: joinable.filter(({ permissions }) => permissions.length > 0).map(({ id }) => id),
  }
}

/** The IDs of those groups that give no privileged permission. */
export const removePrivilegedGroups = (groups: readonly GroupRecord[]): readonly number[] =>
  groups.filter(({ permissions }) => !permissions.some(isPrivileged)).map(({ id }) => id)

const groupNameLength = 255

/** The valid names, each once, and at most as many as a user may have groups. */
const selectUsableNames = (names: readonly string[]): readonly string[] => [
  ...new Map(
    names
      .filter((name) => name.length <= groupNameLength && validateNameField(name).length === 0)
      .slice(0, groupsPerUser)
      .map((name) => [normalizeUsername(name), name]),
  ).values(),
]

const createGroup = async ({ services, context }: ConnectionContext, name: string): Promise<void> => {
  const fields = readGroupFields({ name, permissions: [], members: [] })
  try {
    await createUniqueNameRecord(services.table, groupKind, fields, (id) => [
      auditStep(context, 'group.created', { target: String(id) }),
    ])
  } catch (error) {
    // A concurrent sign-in created the same group.
    if (!(error instanceof NameTaken)) throw error
  }
}

/** The groups of a user, and those among them that came from the provider. */
export interface Memberships {
  readonly groups: readonly number[]
  readonly fromProvider: readonly number[]
}

/**
 * Makes the memberships from the provider equal to the groups that it names, and keeps all others. A membership that the
 * user has anyway never becomes one from the provider, which could later remove it.
 */
export const syncMemberships = (
  { groups, fromProvider }: Memberships,
  named: readonly number[],
): Memberships => {
  const kept = groups.filter((id) => !fromProvider.includes(id) || named.includes(id))
  const joined = named.filter((id) => !kept.includes(id)).slice(0, Math.max(0, groupsPerUser - kept.length))
  return {
    groups: [...kept, ...joined],
    fromProvider: [...kept.filter((id) => fromProvider.includes(id)), ...joined],
  }
}

type GroupRules = Pick<Connection, 'allowed_groups'>

/** Matches any characters at the end of an entry. */
const wildcard = '*'

/** Whether a provider may use this group name. Without a list, it may use none. */
export const isAllowedName = ({ allowed_groups }: GroupRules, name: string): boolean => {
  if (!allowed_groups) return false
  const normalized = normalizeUsername(name)
  return allowed_groups.some((entry) =>
    entry.endsWith(wildcard)
      ? normalized.startsWith(normalizeUsername(entry.slice(0, -1)))
      : normalized === normalizeUsername(entry),
  )
}

/**
 * Whether a provider may add users to a group with permissions. An administrator must have listed the group by its exact
 * name: a prefix also matches groups that get permissions later.
 */
const mayJoinWithPermissions = ({ allowed_groups }: GroupRules, name: string): boolean =>
  Boolean(allowed_groups?.some((entry) => normalizeUsername(entry) === normalizeUsername(name)))

/** Returns what is wrong with a list of allowed groups, or undefined when it is valid. */
export const validateAllowedGroups = (entries: readonly string[]): string | undefined => {
  for (const entry of entries) {
    const stem = entry.endsWith(wildcard) ? entry.slice(0, -1) : entry
    if (stem.includes(wildcard)) return 'may contain * only at the end of an entry'
    const problem = stem === '' && entry === wildcard ? undefined : validateUsername(stem.trimEnd())
    if (problem !== undefined) return `contains an entry that ${problem}`
  }
  return undefined
}
