import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { readScimMemberIds, type ScimGroupRecord } from '../provisioning/groups.records.ts'
import { resourceTypes } from './attributes.models.ts'
import type { ScimContext } from './scim-context.ts'
import { toEntityTag } from './scim-reply.ts'
import { type Projection, toResource } from './scim-resource.ts'
import type { ScimValues } from './scim-values.ts'
import { readGroupValues, readText, toStoredText } from './stored-values.ts'

/** Members that a response shows. One with more is left without them, and shows none. */
const membersShown = 1000

export const toGroupFields = (values: ScimValues) => ({
  displayName: readText(values, 'displayName') ?? '',
  ...omitUndefined({ externalId: readText(values, 'externalId') }),
  values: toStoredText(values),
})

/** The body of a group, with its members unless the request leaves them out or there are too many. */
export const toGroupBody = async (
  { services, caller, baseUrl }: ScimContext,
  record: ScimGroupRecord,
  projection: Projection,
): Promise<object> => {
  const ids = projection.has('members')
    ? await readScimMemberIds(
        services.table,
        { connectionId: caller.connection.id, groupId: record.id },
        { after: undefined, limit: membersShown + 1 },
      )
    : undefined
  return toResource(
    resourceTypes.Group,
    readGroupValues(record),
    {
      id: record.id,
      createdAt: record.createdAt,
      changedAt: record.changedAt,
      version: toEntityTag(record.version),
      location: `${baseUrl}/Groups/${record.id}`,
      apart: {
        ...(ids &&
          ids.length <= membersShown && {
            members: ids.map((id) => ({ value: id, $ref: `${baseUrl}/Users/${id}` })),
          }),
      },
    },
    projection,
  )
}
