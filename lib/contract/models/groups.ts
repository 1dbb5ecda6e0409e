import * as z from 'zod/mini'
import { describeModel } from '../describe.ts'
import {
  assignedId,
  ldapName,
  ldapServerId,
  ldapValue,
  nameRules,
  noAvatar,
  onlyStored,
  permissionForm,
  permissionRule,
  unixGroupId,
} from '../descriptions/common-texts.ts'
import { exampleIds, exampleUserMini } from '../descriptions/example-values.ts'
import {
  anyText,
  givenPermissions,
  id,
  ids,
  jsonValue,
  nullableDisplayText255,
  nullableTextUpTo255,
  readOnlyTexts,
  text255,
  texts,
  writable,
} from './fields.ts'
import { nullableInt32 } from './user-fields.ts'
import { exampleMember, ServiceUser, ServiceUserReference } from './users.ts'

const nullableText = z.nullable(anyText)

export const MemberPreview = z.strictObject({
  id,
  avatar: z.readonly(nullableText),
  email: nullableText,
})
export type MemberPreview = z.output<typeof MemberPreview>

describeModel(MemberPreview, () => ({
  description: 'A member of a group, in short.',
  fields: {
    id: 'The ID of the user.',
    avatar: noAvatar,
    email: 'The email address of the user, or null. It may be unverified.',
  },
  example: { id: exampleIds.user, avatar: null, email: exampleUserMini.email },
}))

const groupFields = {
  id,
  permissions: texts,
  members_preview: z.readonly(z.array(MemberPreview)),
  effective_permissions: readOnlyTexts,
  name: text255,
  ldap_dn: nullableTextUpTo255,
  ldap_guid: nullableText,
  unix_groupname: nullableTextUpTo255,
  gid: nullableInt32,
}

/** A group in a list, with the IDs of its members. */
export const ServiceGroup = z.strictObject({ ...groupFields, ldap: z.nullable(id), members: ids })
export type ServiceGroup = z.output<typeof ServiceGroup>

/** The texts of fields that requests set. */
export const settableGroupDescriptions = {
  permissions: `The permissions that all members have. ${permissionForm} Changes take effect at once for all members. ${permissionRule} Default: empty.`,
  name: `The name of the group. ${nameRules} SAML providers choose groups by name.`,
  ldap_dn: ldapName,
  ldap_guid: `The ID of the group in an LDAP directory, or null. ${onlyStored} Default: null.`,
  unix_groupname: `The Unix name of the group, or null. ${onlyStored} Default: null.`,
  gid: unixGroupId,
}

const groupDescriptions = {
  ...settableGroupDescriptions,
  id: `The ID of the group. ${assignedId}`,
  members_preview: 'The first 3 members in the order of their IDs, for lists in user interfaces.',
  effective_permissions: 'The same permissions, sorted and without duplicates.',
}

const exampleGroup = {
  id: exampleIds.group,
  name: 'editors',
  permissions: ['media:access'],
  effective_permissions: ['media:access'],
  members_preview: [{ id: exampleIds.user, avatar: null, email: exampleUserMini.email }],
  ldap: null,
  ldap_dn: null,
  ldap_guid: null,
  unix_groupname: null,
  gid: null,
}

describeModel(ServiceGroup, () => ({
  description: 'A group in a list. Users in a group have its permissions in addition to their own.',
  fields: {
    ...groupDescriptions,
    ldap: ldapServerId,
    members: 'The IDs of the first 1,000 members, in ascending order.',
  },
  example: { ...exampleGroup, members: [exampleIds.user] },
}))

/** A single group, with its members in full. */
export const ServiceGroupDetail = z.strictObject({
  ...groupFields,
  members: z.array(ServiceUser),
  ldap: jsonValue,
})
export type ServiceGroupDetail = z.output<typeof ServiceGroupDetail>

describeModel(ServiceGroupDetail, () => ({
  description:
    'A group with its members. Users in a group have its permissions in addition to their own. A group can have more members than the 1,000 that are shown.',
  fields: {
    ...groupDescriptions,
    ldap: ldapValue,
    members:
      'The first 1,000 members in the order of their IDs. List users with the filter `groups` to get all of them.',
  },
  example: { ...exampleGroup, members: [exampleMember] },
}))

const maybeText = z.optional(nullableDisplayText255)
const toReference = (given: unknown): unknown => (typeof given === 'number' ? { id: given } : given)

const changes = {
  permissions: z.optional(givenPermissions),
  // Responses contain members in full, or their IDs in lists. Requests accept both forms, so that clients can send them back.
  members: z.optional(z.array(writable(ServiceUserReference, ServiceUser, toReference))),
  ldap: z.optional(jsonValue),
  ldap_dn: maybeText,
  ldap_guid: z.optional(z.nullable(anyText)),
  unix_groupname: maybeText,
  gid: z.optional(nullableInt32),
}

export const ServiceGroupDetailUpdate = z.strictObject({ ...changes, name: text255 })
export type ServiceGroupDetailUpdate = z.output<typeof ServiceGroupDetailUpdate>

const updateDescriptions = {
  ...settableGroupDescriptions,
  ldap: ldapValue,
  members:
    'All members of the group after the request, at most 1,000: IDs, or objects with an `id`. Users who are not listed leave the group. Guests of access links cannot be members. To change a larger group, change `groups` of its users.',
}

describeModel(ServiceGroupDetailUpdate, () => ({
  description:
    'A new group, or all settable fields of an existing one. When a group is replaced, omitted fields return to their defaults. Without `members`, the group has no members afterwards.',
  fields: updateDescriptions,
  example: { name: 'editors', permissions: ['media:access'], members: [exampleIds.user] },
}))

export const ServiceGroupDetailPartialUpdate = z.strictObject({ ...changes, name: z.optional(text255) })
export type ServiceGroupDetailPartialUpdate = z.output<typeof ServiceGroupDetailPartialUpdate>

describeModel(ServiceGroupDetailPartialUpdate, () => ({
  description: 'Changes of a group. Omitted fields keep their values, and so do the members.',
  fields: updateDescriptions,
  example: { permissions: ['media:access', 'projects:view'] },
}))
