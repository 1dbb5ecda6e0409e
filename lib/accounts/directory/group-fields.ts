import type {
  ServiceGroupDetailPartialUpdate,
  ServiceGroupDetailUpdate,
} from '../../contract/models/groups.ts'
import type { GroupRecord } from '../../store/directory/groups.ts'
import type { NewUniqueNameRecord } from '../../store/engine/unique-name-records.ts'
import { normalizeUsername } from '../common/names.ts'
import { sortPermissions } from '../common/permissions.ts'

export type GroupFields = NewUniqueNameRecord<GroupRecord>

/** The stored fields of a group from a complete body. Omitted fields get their defaults. */
export const readGroupFields = (body: ServiceGroupDetailUpdate): GroupFields => ({
  name: body.name,
  normalizedName: normalizeUsername(body.name),
  permissions: sortPermissions(body.permissions ?? []),
  ldap: JSON.stringify(body.ldap ?? null),
  ldapDn: body.ldap_dn ?? null,
  ldapGuid: body.ldap_guid ?? null,
  unixGroupname: body.unix_groupname ?? null,
  gid: body.gid ?? null,
})

/** The stored fields of a group from a partial body. Omitted fields keep their values. */
export const patchGroupFields = (group: GroupRecord, body: ServiceGroupDetailPartialUpdate): GroupFields => ({
  name: body.name ?? group.name,
  normalizedName: normalizeUsername(body.name ?? group.name),
  permissions: body.permissions ? sortPermissions(body.permissions) : group.permissions,
  ldap: body.ldap === undefined ? group.ldap : JSON.stringify(body.ldap),
  ldapDn: body.ldap_dn === undefined ? group.ldapDn : body.ldap_dn,
  ldapGuid: body.ldap_guid === undefined ? group.ldapGuid : body.ldap_guid,
  unixGroupname: body.unix_groupname === undefined ? group.unixGroupname : body.unix_groupname,
  gid: body.gid === undefined ? group.gid : body.gid,
})
