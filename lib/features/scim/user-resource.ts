import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { findScimGroupIds, findScimGroups } from '../provisioning/groups.records.ts'
import type { ScimUserRecord } from '../provisioning/users.records.ts'
import type { ScimContext } from './scim-context.ts'
import { toEntityTag } from './scim-reply.ts'
import { type Projection, toResource } from './scim-resource.ts'
import type { ScimValues } from './scim-values.ts'
import { readAddresses, readText, readUserValues, toStoredText } from './stored-values.ts'
import { getUserType } from './user-type.ts'

/** The fields of a record that follow from the values of its attributes. */
export const toUserFields = (values: ScimValues) => ({
  userName: readText(values, 'userName') ?? '',
  ...omitUndefined({ externalId: readText(values, 'externalId') }),
  addresses: readAddresses(values),
  values: toStoredText(values),
})

/** The body of a person. `hasGroups` says whether to look up their groups, which takes two calls. */
export const toUserBody = async (
  scim: ScimContext,
  record: ScimUserRecord,
  projection: Projection,
  { hasGroups }: { readonly hasGroups: boolean },
): Promise<object> => {
  const { services, caller, baseUrl } = scim
  const groups =
    hasGroups && projection.has('groups')
      ? await findGroups(services.table, caller.connection.id, record)
      : undefined
  return toResource(
    getUserType(scim),
    readUserValues(record),
    {
      id: record.id,
      createdAt: record.createdAt,
      changedAt: record.changedAt,
      version: toEntityTag(record.version),
      location: `${baseUrl}/Users/${record.id}`,
      apart: {
        ...(groups && {
          groups: groups.map(({ id, displayName }) => ({
            value: id,
            $ref: `${baseUrl}/Groups/${id}`,
            display: displayName,
          })),
        }),
      },
    },
    projection,
  )
}

const findGroups = async (
  table: ScimContext['services']['table'],
  connectionId: number,
  { id }: ScimUserRecord,
) => findScimGroups(table, connectionId, await findScimGroupIds(table, connectionId, id))
