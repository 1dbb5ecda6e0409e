import { sortPermissions } from '../../../accounts/callers/permissions.ts'
import type {
  MemberPreview,
  ServiceGroup,
  ServiceGroupDetail,
  ServiceGroupDetailPartialUpdate,
  ServiceGroupDetailUpdate,
  storedGroupFields,
} from '../../../accounts/groups/groups.models.ts'
import { findGroups, type GroupRecord } from '../../../accounts/groups/groups.records.ts'
import { normalizeUsername } from '../../../accounts/names/names.ts'
import { listUsers } from '../../../accounts/users/find-users.records.ts'
import type { UserRecord } from '../../../accounts/users/stored-user.records.ts'
import { toServiceUsersWith } from '../../../accounts/users/user-body.ts'
import type { ServiceUser } from '../../../accounts/users/users.models.ts'
import { project, readGiven } from '../../../kernel/contract/projection.ts'
import { memberDetailBytes, membersPerBody, membersPerPreview } from '../../../kernel/limits/limits.ts'
import type { Table } from '../../../kernel/table/table.ts'
import type { NewUniqueNameRecord } from '../../../kernel/table/unique-name-records.ts'
import { countResultBytes } from '../../../kernel/util/result-bytes.ts'
import {
  emptyProfileFields,
  groupClientFields,
  listGroupClientFields,
  memberPreviewClientFields,
  noClientFields,
} from '../../../published-clients/stored-fields.ts'
import { givenGroupNames, groupNames, newGroup } from '../field-names.models.prebuilt.ts'
import { findMemberIds, readMemberLists } from './memberships.records.ts'

/**
 * A group with the details of its first `membersPerBody` members, in order of ID. Takes one query for the IDs and one
 * batch read per 100 members.
 */
export const toGroupDetail = async (table: Table, group: GroupRecord): Promise<ServiceGroupDetail> => {
  const ids = await findMemberIds(table, group.id, membersPerBody)
  const members = (await listUsers(table, ids)).filter((user) => user !== undefined)
  return toGroupDetailWith(group, members, await findGroupsOf(table, members))
}

/** The groups of these users, each once. */
export const findGroupsOf = (table: Table, users: readonly UserRecord[]): Promise<readonly GroupRecord[]> =>
  findGroups(
    table,
    users.flatMap(({ groups }) => groups),
  )

/** A group with the details of these members, in order of ID. `groups` are all groups of the members. */
export const toGroupDetailWith = (
  group: GroupRecord,
  members: readonly UserRecord[],
  groups: readonly GroupRecord[],
): ServiceGroupDetail => ({
  ...buildFields(group, members.slice(0, membersPerPreview)),
  members: shortenMembers(toServiceUsersWith(members, groups)),
  ...groupClientFields.read(group.clientFields),
})

/**
 * Groups for a list, with the IDs of their first `membersPerBody` members and a preview of the first few. Takes one batch read
 * for each 100 groups and for each 100 previewed members. Without members, it takes no call.
 */
export const toGroupRows = async (
  table: Table,
  groups: readonly GroupRecord[],
  withMembers: boolean,
): Promise<readonly ServiceGroup[]> => {
  const members = await readMemberLists(table, withMembers ? groups.map(({ id }) => id) : [])
  const previewed = [...new Set(members.flatMap((ids) => ids.slice(0, membersPerPreview)))]
  const users = (await listUsers(table, previewed)).filter((user) => user !== undefined)
  const byId = new Map(users.map((user) => [user.id, user]))
  return groups.map((group, at) => {
    const ids = members[at] ?? []
    return {
      ...buildFields(
        group,
        ids.slice(0, membersPerPreview).flatMap((id) => byId.get(id) ?? []),
      ),
      members: [...ids],
      ...listGroupClientFields(group.clientFields),
    }
  })
}

const buildFields = (
  group: GroupRecord,
  firstMembers: readonly UserRecord[],
): Pick<ServiceGroup, keyof typeof storedGroupFields | 'effective_permissions' | 'members_preview'> => ({
  ...project(groupNames, group),
  effective_permissions: [...sortPermissions(group.permissions)],
  members_preview: firstMembers.map(
    ({ id, email }): MemberPreview => ({ id, email, ...memberPreviewClientFields }),
  ),
})

/**
 * Empties the lists of the members that do not fit into a body of a group, because a Lambda result has at most 6 MB.
 * No member is left out: clients send the members back, and missing ones would be removed from the group.
 */
const shortenMembers = (members: readonly ServiceUser[]): ServiceUser[] => {
  let bytes = 0
  return members.map((member) => {
    bytes += countResultBytes(member)
    return bytes > memberDetailBytes ? withoutLists(member) : member
  })
}

/** Only these lists of a user can be long. */
const withoutLists = (member: ServiceUser): ServiceUser => ({
  ...member,
  ...emptyProfileFields(),
  permissions: [],
  group_permissions: [],
  effective_permissions: [],
})

export type GroupFields = NewUniqueNameRecord<GroupRecord>

/** The stored fields of a group from a complete body. Omitted fields get their defaults. */
export const readGroupFields = (body: ServiceGroupDetailUpdate): GroupFields =>
  patchGroupFields({ ...newGroup, name: body.name, clientFields: noClientFields }, body)

/** The stored fields of a group from a partial body. Omitted fields keep their values. */
export const patchGroupFields = (
  group: Omit<GroupFields, 'normalizedName'>,
  body: ServiceGroupDetailPartialUpdate,
): GroupFields => {
  const fields = { ...project(givenGroupNames, group), ...readGiven(givenGroupNames, body) }
  return {
    ...fields,
    normalizedName: normalizeUsername(fields.name),
    permissions: sortPermissions(fields.permissions),
    clientFields: groupClientFields.write(body, group.clientFields),
  }
}
