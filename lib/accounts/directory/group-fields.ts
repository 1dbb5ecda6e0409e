import type {
  ServiceGroupDetailPartialUpdate,
  ServiceGroupDetailUpdate,
} from '../../contract/models/groups.ts'
import { groupClientFields } from '../../contract/published-clients/stored-fields.ts'
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
  clientFields: groupClientFields.write(body),
})

/** The stored fields of a group from a partial body. Omitted fields keep their values. */
export const patchGroupFields = (group: GroupRecord, body: ServiceGroupDetailPartialUpdate): GroupFields => ({
  name: body.name ?? group.name,
  normalizedName: normalizeUsername(body.name ?? group.name),
  permissions: body.permissions ? sortPermissions(body.permissions) : group.permissions,
  clientFields: groupClientFields.write(body, group.clientFields),
})
