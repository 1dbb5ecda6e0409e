import { groupsPerUser } from '../../core/limits.ts'
import type { Services } from '../../services.ts'
import { findGroupIds, findGroups } from '../../store/directory/groups.ts'
import { createUniqueNameRecord, NameTaken } from '../../store/engine/unique-name-records.ts'
import { type GroupRecord, groupKind } from '../../store/records/group-record.ts'
import type { SamlProviderRecord } from '../../store/records/saml-provider-record.ts'
import { normalizeUsername, validateNameField } from '../common/names.ts'
import { isAdmin } from '../common/permissions.ts'
import { auditStep, type RequestContext } from '../common/request-context.ts'
import { readGroupFields } from '../directory/group-fields.ts'

/**
 * The groups that a provider names, in its order; those that aren't there are made, without any permission, where the
 * provider is set up so. A group of administrators is nobody's to be put into from outside, so it is left out.
 */
export const findGroupsByName = async (
  services: Services,
  provider: Pick<SamlProviderRecord, 'id' | 'autoCreateGroups'>,
  names: readonly string[],
  context: RequestContext,
): Promise<readonly number[]> => {
  const wanted = usableNames(names)
  const normalized = wanted.map(normalizeUsername)
  let ids = await findGroupIds(services.table, normalized)
  const missing = wanted.filter((_, at) => ids[at] === undefined)
  if (provider.autoCreateGroups && missing.length > 0) {
    await inTurns(missing, (name) => makeGroup(services, name, context))
    ids = await findGroupIds(services.table, normalized)
  }
  const found = ids.filter((id) => id !== undefined)
  if (found.length < names.length)
    services.log.info('saml.groups_left_out', { provider: provider.id, count: names.length - found.length })
  return removeAdminGroups(await findGroups(services.table, found))
}

/** Those of these groups that make nobody an administrator. */
export const removeAdminGroups = (groups: readonly GroupRecord[]): readonly number[] =>
  groups.filter(({ permissions }) => !isAdmin(permissions)).map(({ id }) => id)

const longestName = 255

/** Names that a group can have, each once, and no more of them than a user can be in. */
const usableNames = (names: readonly string[]): readonly string[] => [
  ...new Map(
    names
      .filter((name) => name.length <= longestName && validateNameField(name).length === 0)
      .slice(0, groupsPerUser)
      .map((name) => [normalizeUsername(name), name]),
  ).values(),
]

const makeGroup = async ({ table }: Services, name: string, context: RequestContext): Promise<void> => {
  try {
    await createUniqueNameRecord(
      table,
      groupKind,
      readGroupFields({ name, permissions: [], members: [] }),
      (id) => [auditStep(context, 'group.created', { target: String(id) })],
    )
  } catch (error) {
    // Somebody else who signs in at this moment brought it along as well.
    if (!(error instanceof NameTaken)) throw error
  }
}

const inTurns = async <In>(all: readonly In[], work: (one: In) => Promise<void>): Promise<void> => {
  const turn = 10
  for (let at = 0; at < all.length; at += turn) await Promise.all(all.slice(at, at + turn).map(work))
}

/** What a user is in, and which of it came from the provider. */
export interface Memberships {
  readonly groups: readonly number[]
  readonly fromProvider: readonly number[]
}

/**
 * The memberships after a provider named these groups: what came from it is made equal to that, and everything else
 * stays. One that the user has anyway doesn't become the provider's to take away.
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
