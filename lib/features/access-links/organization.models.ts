import * as z from 'zod/mini'
import { exampleGuestMini, exampleIds, exampleTimes } from '../../accounts/example-values.models.ts'
import { ServiceUserMini } from '../../accounts/users/user-fields.models.ts'
import { dateTime, flag, id, int32, nullableDateTime } from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'
import { exampleShared, OneTimeAccessTokenSharedObject } from './models.ts'

const sharedObjects = z.readonly(z.array(OneTimeAccessTokenSharedObject))

export const OrganizationLink = model(
  {
    id: field(id, docs && 'The ID of the access link. It is not secret and opens nothing.'),
    created_by: field(
      id,
      docs &&
        'The ID of the user who created the link. It works only while they are a member with the permission `org:links:manage`.',
    ),
    user: field(
      ServiceUserMini,
      docs && 'The recipient, as the creator named them: by an address or as a placeholder such as `User 7`.',
    ),
    shared_bundles: field(sharedObjects, docs && 'The bundles that the link opens.'),
    shared_directories: field(sharedObjects, docs && 'The directories that the link opens.'),
    has_password: field(flag, docs && 'Whether opening the link requires a password.'),
    view_limit_enabled: field(flag, docs && 'Whether the number of views is limited.'),
    view_limit_left: field(
      int32,
      docs && 'How many views are left. It has no meaning if `view_limit_enabled` is false.',
    ),
    created_at: field(dateTime, docs && 'When the link was created: ISO 8601, UTC.'),
    expires: field(nullableDateTime, docs && 'When the link ends: ISO 8601, UTC. Null for never.'),
  },
  docs && {
    description: 'An access link in the name of an organization, without the value that opens it.',
    example: {
      id: exampleIds.accessLink,
      created_by: exampleIds.user,
      user: exampleGuestMini,
      shared_bundles: [exampleShared],
      shared_directories: [],
      has_password: false,
      view_limit_enabled: true,
      view_limit_left: 2,
      created_at: exampleTimes.linkCreated,
      expires: exampleTimes.end,
    },
  },
)
export type OrganizationLink = z.output<typeof OrganizationLink>
