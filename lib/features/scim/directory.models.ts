import * as z from 'zod/mini'
import { exampleIds, exampleTimes } from '../../accounts/example-values.models.ts'
import {
  anyText,
  dateTime,
  flag,
  id,
  integer,
  nonEmptyText,
  texts,
  textUpTo,
} from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'

const resourceId = field(nonEmptyText, docs && 'The ID that the directory knows the resource by.')

export const ScimPerson = model(
  {
    id: resourceId,
    user_name: field(nonEmptyText, docs && 'The `userName` in the directory. It is no username here.'),
    external_id: field(z.nullable(anyText), docs && 'The ID that the directory itself uses, if it sent one.'),
    active: field(flag, docs && 'Whether the person may sign in through the connection.'),
    ended_by: field(
      z.nullable(z.enum(['directory', 'service'])),
      docs &&
        'Who ended the access of somebody who is not active: the directory, or somebody here. The directory cannot bring back whom somebody here ended.',
    ),
    user: field(z.nullable(id), docs && 'The ID of the account. Null until the first sign-in.'),
    account_username: field(z.nullable(anyText), docs && 'The username of the account.'),
    address: field(z.nullable(anyText), docs && 'The first email address that the directory sent.'),
    address_use: field(
      z.enum(['used', 'at_sign_in', 'other_address', 'outside_domains', 'none']),
      docs &&
        'What the address is used for. `used`: the account has it. `at_sign_in`: the first sign-in can use it. `other_address`: the account has another one. `outside_domains`: it is used for nothing, because its domain is not proven for this connection. `none`: the directory sent no address.',
    ),
    changed_at: field(dateTime, docs && 'When the directory last changed the person: ISO 8601, UTC.'),
  },
  docs && {
    description: 'A person whom the directory of a connection sent.',
    example: {
      id: '0195f2c4-8a00-7c1e-9a3b-5f6d2c1b0a99',
      user_name: 'ada@example.com',
      external_id: '00ujl29u0le5T6Aj10h7',
      active: true,
      ended_by: null,
      user: exampleIds.user,
      account_username: 'ada',
      address: 'ada@example.com',
      address_use: 'used' as const,
      changed_at: exampleTimes.signedIn,
    },
  },
)
export type ScimPerson = z.output<typeof ScimPerson>

export const ScimAssignmentRequest = model(
  {
    user: field(
      id,
      docs && 'The ID of the account, which had an account at the identity provider of this connection.',
    ),
  },
  docs && { description: 'Whose account a person of a directory is.', example: { user: exampleIds.user } },
)
export type ScimAssignmentRequest = z.output<typeof ScimAssignmentRequest>

export const ScimGroup = model(
  {
    id: resourceId,
    display_name: field(nonEmptyText, docs && 'The `displayName` in the directory.'),
    external_id: field(z.nullable(anyText), docs && 'The ID that the directory itself uses, if it sent one.'),
    changed_at: field(
      dateTime,
      docs && 'When the directory last changed the group, apart from its members: ISO 8601, UTC.',
    ),
  },
  docs && {
    description: 'A group that the directory of a connection sent.',
    example: {
      id: '0195f2c4-8a00-7c1e-9a3b-5f6d2c1b0b11',
      display_name: 'Editors',
      external_id: null,
      changed_at: exampleTimes.signedIn,
    },
  },
)
export type ScimGroup = z.output<typeof ScimGroup>

export const ScimCall = model(
  {
    at: field(dateTime, docs && 'When the directory sent the request: ISO 8601, UTC.'),
    method: field(z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']), docs && 'The method of the request.'),
    resource: field(
      nonEmptyText,
      docs && 'What the path names: `Users`, `Groups`, `Bulk`, a document, or `other`.',
    ),
    status: field(integer, docs && 'The status of the response.'),
    scim_type: field(z.nullable(anyText), docs && 'The `scimType` of an error.'),
    detail: field(z.nullable(anyText), docs && 'What the response said is wrong, in English.'),
    resource_id: field(z.nullable(anyText), docs && 'The ID of the person or the group.'),
    name: field(z.nullable(anyText), docs && 'The `userName` or the `displayName`, if it is known.'),
    advice: field(
      z.enum([
        'none',
        'ended_here',
        'unknown',
        'taken',
        'conflict',
        'changed',
        'request',
        'too_many',
        'too_large',
        'not_supported',
        'failed',
      ]),
      docs &&
        'What to do. `none`: nothing. `ended_here`: somebody here ended the access and has to give it again. `unknown`: let the directory match its people again. `taken`: change the name or the address. `conflict`: do what `detail` says. `changed`: send the request again. `request`: correct the attribute that `detail` names. `too_many`: ask for less. `too_large`: send less at once. `not_supported`: turn the function off. `failed`: send the request again, and ask an administrator if it stays so.',
    ),
  },
  docs && {
    description: 'A request that the directory of a connection sent, without its body.',
    example: {
      at: exampleTimes.signedIn,
      method: 'PATCH' as const,
      resource: 'Users',
      status: 400,
      scim_type: 'invalidValue',
      detail: '"active" must be true or false.',
      resource_id: '0195f2c4-8a00-7c1e-9a3b-5f6d2c1b0a99',
      name: 'ada@example.com',
      advice: 'request' as const,
    },
  },
)
export type ScimCall = z.output<typeof ScimCall>

export const ScimPreviewRequest = model(
  {
    method: field(z.enum(['POST', 'PUT', 'PATCH', 'DELETE']), docs && 'The method of the request.'),
    resource: field(z.enum(['Users', 'Groups']), docs && 'The kind of resource.'),
    resource_id: field(z.nullable(textUpTo(64)), docs && 'The ID of the person or the group. Null for POST.'),
    body: field(
      z.nullable(textUpTo(100_000)),
      docs && 'The body, as the directory sends it. Null for DELETE.',
    ),
  },
  docs && {
    description: 'A request of a directory that is only checked.',
    example: {
      method: 'POST' as const,
      resource: 'Users' as const,
      resource_id: null,
      body: '{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"userName":"ada@example.com"}',
    },
  },
)
export type ScimPreviewRequest = z.output<typeof ScimPreviewRequest>

export const ScimPlanStep = model(
  {
    action: field(
      z.enum([
        'create_person',
        'create_group',
        'change_attributes',
        'change_nothing',
        'use_account',
        'wait_for_sign_in',
        'refuse_sign_in',
        'end_sessions',
        'end_membership',
        'end_account',
        'keep_last_owner',
        'keep_last_admin',
        'bring_back',
        'stay_ended',
        'delete_person',
        'delete_group',
        'add_members',
        'remove_members',
        'replace_members',
      ]),
      docs && 'What would happen.',
    ),
    names: field(texts, docs && 'The attributes that change, or the username of the account.'),
    count: field(z.nullable(integer), docs && 'How many members.'),
  },
  docs && {
    description: 'A step of what a request would do.',
    example: { action: 'wait_for_sign_in' as const, names: [], count: null },
  },
)
export type ScimPlanStep = z.output<typeof ScimPlanStep>

export const ScimPreview = model(
  {
    status: field(integer, docs && 'The status of the response.'),
    body: field(
      z.nullable(anyText),
      docs && 'The body of the response, as JSON. The ID of something new is an example.',
    ),
    plan: field(
      z.array(ScimPlanStep),
      docs && 'What would happen, in order. Empty for a request that is refused.',
    ),
  },
  docs && {
    description: 'What a request of a directory would do. Nothing was written.',
    example: {
      status: 201,
      body: '{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"userName":"ada@example.com"}',
      plan: [
        { action: 'create_person' as const, names: [], count: null },
        { action: 'wait_for_sign_in' as const, names: [], count: null },
      ],
    },
  },
)
export type ScimPreview = z.output<typeof ScimPreview>
