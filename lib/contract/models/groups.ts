import * as z from 'zod/mini'
import { anyText, id, ids, jsonValue, nullableTextUpTo255, readOnlyTexts, text255, texts } from './fields.ts'
import { ServiceUser } from './user.ts'
import { nullableInt32 } from './user-fields.ts'

const nullableText = z.nullable(anyText)

export const MemberPreview = z.strictObject({
  id,
  avatar: z.readonly(nullableText),
  email: nullableText,
})
export type MemberPreview = z.output<typeof MemberPreview>

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

/** A single group, with its members in full. */
export const ServiceGroupDetail = z.strictObject({
  ...groupFields,
  members: z.array(ServiceUser),
  ldap: jsonValue,
})
export type ServiceGroupDetail = z.output<typeof ServiceGroupDetail>
