import * as z from 'zod/mini'
import { describeModel } from '../../kernel/contract/describe.ts'
import {
  assignedId,
  nameRules,
  permissionForm,
  permissionRule,
} from '../../kernel/contract/descriptions/common-texts.ts'
import {
  anyText,
  givenPermissions,
  id,
  ids,
  readOnlyTexts,
  text255,
  texts,
  writable,
} from '../../kernel/contract/fields.ts'
import { changes, field, model, settable, sharedFields } from '../../kernel/contract/model.ts'
import {
  exampleGroupFields,
  groupDetailFields,
  groupListFields,
} from '../../published-clients/group-fields.ts'
import { memberPreviewClientFields } from '../../published-clients/stored-fields.ts'
import { memberPreviewDescriptions, memberPreviewFields } from '../../published-clients/user-fields.ts'
import { exampleIds, exampleUserMini } from '../example-values.models.ts'
import { exampleMember, ServiceUser, ServiceUserReference } from '../users/users.models.ts'

const nullableText = z.nullable(anyText)

export const MemberPreview = z.strictObject({
  id,
  email: nullableText,
  ...memberPreviewFields,
})
export type MemberPreview = z.output<typeof MemberPreview>

if (docs)
  describeModel(MemberPreview, () => ({
    description: 'A member of a group, in short.',
    fields: {
      id: 'The ID of the user.',
      email: 'The email address of the user, or null. It may be unverified.',
      ...memberPreviewDescriptions,
    },
    example: { id: exampleIds.user, email: exampleUserMini.email, ...memberPreviewClientFields },
  }))

// Who sets and who sees a field of a group.
const service = ['service'] as const
const documented = ['service', 'configuration'] as const

/** Fields that a record has exactly as they are shown. */
export const storedGroupFields = sharedFields({
  id: field(id, docs && `The ID of the group. ${assignedId}`, { seenBy: service }),
  name: settable(
    text255,
    docs && `The name of the group. ${nameRules} SAML providers choose groups by name.`,
    { by: documented, seenBy: service, inEvents: 'value' },
  ),
  permissions: settable(
    texts,
    docs &&
      `The permissions that all members have. ${permissionForm} Changes take effect at once for all members. ${permissionRule} Default: empty.`,
    { given: givenPermissions, initial: [], by: documented, seenBy: service, inEvents: 'value' },
  ),
})

const toReference = (given: unknown): unknown => (typeof given === 'number' ? { id: given } : given)
// Responses contain members in full, or their IDs in lists. Requests accept both forms, so that clients can send them back.
const givenMembers = {
  given: z.array(writable(ServiceUserReference, ServiceUser, toReference)),
  by: service,
  seenBy: service,
  inEvents: 'value',
} as const

/** A document has no members, and nothing that only published clients know. */
export const groupFields = sharedFields({
  ...storedGroupFields,
  members_preview: field(
    z.readonly(z.array(MemberPreview)),
    docs && 'The first 3 members in the order of their IDs, for lists in user interfaces.',
    { seenBy: service },
  ),
  effective_permissions: field(
    readOnlyTexts,
    docs && 'The same permissions, sorted and without duplicates.',
    { seenBy: service },
  ),
  members: settable(
    z.array(ServiceUser),
    docs &&
      'The first 1,000 members in the order of their IDs. List users with the filter `groups` to get all of them.',
    givenMembers,
  ),
  ...groupDetailFields,
})

const exampleGroup = docs && {
  id: exampleIds.group,
  name: 'editors',
  permissions: ['media:access'],
  effective_permissions: ['media:access'],
  members_preview: [{ id: exampleIds.user, email: exampleUserMini.email, ...memberPreviewClientFields }],
  ...exampleGroupFields,
}

/** A group in a list, with the IDs of its members. */
export const ServiceGroup = model(
  {
    ...groupFields,
    members: field(ids, docs && 'The IDs of the first 1,000 members, in ascending order.', {
      seenBy: service,
    }),
    ...groupListFields,
  },
  docs && {
    description: 'A group in a list. Users in a group have its permissions in addition to their own.',
    example: { ...exampleGroup, members: [exampleIds.user] },
  },
)
export type ServiceGroup = z.output<typeof ServiceGroup>

/** A single group, with its members in full. */
export const ServiceGroupDetail = model(
  groupFields,
  docs && {
    description:
      'A group with its members. Users in a group have its permissions in addition to their own. A group can have more members than the 1,000 that are shown.',
    example: { ...exampleGroup, members: [exampleMember] },
  },
)
export type ServiceGroupDetail = z.output<typeof ServiceGroupDetail>

const changeFields = {
  ...groupFields,
  members: settable(
    z.array(ServiceUser),
    docs &&
      'All members of the group after the request, at most 1,000: IDs, or objects with an `id`. Users who are not listed leave the group. Guests of access links cannot be members. To add and remove members of a group of any size, call `change_group_members`.',
    givenMembers,
  ),
}

export const ServiceGroupDetailUpdate = changes(
  changeFields,
  docs && {
    description:
      'A new group, or all settable fields of an existing one. When a group is replaced, omitted fields return to their defaults. Without `members`, the group has no members afterwards.',
    example: { name: 'editors', permissions: ['media:access'], members: [exampleIds.user] },
  },
  ['name'],
)
export type ServiceGroupDetailUpdate = z.output<typeof ServiceGroupDetailUpdate>

export const ServiceGroupDetailPartialUpdate = changes(
  changeFields,
  docs && {
    description: 'Changes of a group. Omitted fields keep their values, and so do the members.',
    example: { permissions: ['media:access', 'projects:view'] },
  },
)
export type ServiceGroupDetailPartialUpdate = z.output<typeof ServiceGroupDetailPartialUpdate>

export const GroupMembersChange = model(
  {
    add: field(z.optional(ids), docs && 'The IDs of users who join. Members stay. Default: empty.'),
    remove: field(z.optional(ids), docs && 'The IDs of users who leave. Others are skipped. Default: empty.'),
  },
  docs && {
    description: 'Users who join and leave a group, at most 1,000 together, none in both lists.',
    example: { add: [exampleIds.user], remove: [exampleIds.otherUser] },
  },
)
export type GroupMembersChange = z.output<typeof GroupMembersChange>

export const GroupMembersChanged = model(
  {
    added: field(z.int(), docs && 'The number of new members.'),
    removed: field(z.int(), docs && 'The number of users who left.'),
  },
  docs && { description: 'What a request changed.', example: { added: 1, removed: 1 } },
)
export type GroupMembersChanged = z.output<typeof GroupMembersChanged>
