import type { MemberPreview, ServiceGroup, ServiceGroupDetail } from '../../contract/models/groups.ts'
import { membersPerBody, membersPerPreview } from '../../core/limits.ts'
import { findGroups } from '../../store/directory/groups.ts'
import { findMemberIds } from '../../store/directory/memberships.ts'
import { findUsers } from '../../store/directory/users.ts'
import type { Table } from '../../store/engine/table.ts'
import type { GroupRecord } from '../../store/records/group-record.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import { sortPermissions } from '../common/permissions.ts'
import { readLdapId } from './ldap.ts'
import { toServiceUsersWith } from './user-body.ts'

/**
 * A group with its members in full: the first `membersPerBody` of them, lowest id first. One query for their
 * ids and a batch read for every hundred.
 */
export const toGroupDetail = async (table: Table, group: GroupRecord): Promise<ServiceGroupDetail> => {
  const ids = await findMemberIds(table, group.id, membersPerBody)
  const members = (await findUsers(table, ids)).filter((user) => user !== undefined)
  return toGroupDetailWith(group, members, await toGroups(table, members))
}

/** The groups that any of these users is in. */
export const toGroups = (table: Table, users: readonly UserRecord[]): Promise<readonly GroupRecord[]> =>
  findGroups(
    table,
    users.flatMap(({ groups }) => groups),
  )

/** The detail of a group whose members, in order of id, and their groups are at hand. */
export const toGroupDetailWith = (
  group: GroupRecord,
  members: readonly UserRecord[],
  groups: readonly GroupRecord[],
): ServiceGroupDetail => ({
  ...fieldsOf(group, members.slice(0, membersPerPreview)),
  members: [...toServiceUsersWith(members, groups)],
  ldap: JSON.parse(group.ldap),
})

/**
 * Groups as a list shows them: the ids of their members, as many as the detail would show, and the first few
 * at a glance. A query for each group, and the batch reads that those few take together.
 */
export const toGroupRows = async (
  table: Table,
  groups: readonly GroupRecord[],
): Promise<readonly ServiceGroup[]> => {
  const members = await inTurns(groups, ({ id }) => findMemberIds(table, id, membersPerBody))
  const previewed = [...new Set(members.flatMap((ids) => ids.slice(0, membersPerPreview)))]
  const users = (await findUsers(table, previewed)).filter((user) => user !== undefined)
  const byId = new Map(users.map((user) => [user.id, user]))
  return groups.map((group, at) => {
    const ids = members[at] ?? []
    return {
      ...fieldsOf(
        group,
        ids.slice(0, membersPerPreview).flatMap((id) => byId.get(id) ?? []),
      ),
      members: [...ids],
      ldap: readLdapId(group.ldap),
    }
  })
}

const fieldsOf = (
  group: GroupRecord,
  firstMembers: readonly UserRecord[],
): Omit<ServiceGroup, 'members' | 'ldap'> => ({
  id: group.id,
  name: group.name,
  permissions: [...group.permissions],
  effective_permissions: [...sortPermissions(group.permissions)],
  members_preview: firstMembers.map(({ id, email }): MemberPreview => ({ id, avatar: null, email })),
  ldap_dn: group.ldapDn,
  ldap_guid: group.ldapGuid,
  unix_groupname: group.unixGroupname,
  gid: group.gid,
})

/** A few at a time: a page of a thousand groups must not open a thousand connections. */
const inTurns = async <In, Out>(all: readonly In[], work: (one: In) => Promise<Out>): Promise<Out[]> => {
  const results: Out[] = []
  const turn = 25
  for (let at = 0; at < all.length; at += turn)
    results.push(...(await Promise.all(all.slice(at, at + turn).map(work))))
  return results
}
