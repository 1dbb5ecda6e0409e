import * as z from 'zod/mini'
import { nullableDisplayText255 } from './display-text.ts'
import { anyText, jsonValue, text255 } from './fields.ts'
import { givenPermissions } from './permissions.ts'
import { ServiceUser, ServiceUserReference } from './user.ts'
import { nullableInt32 } from './user-fields.ts'
import { writable } from './writable.ts'

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

export const ServiceGroupDetailPartialUpdate = z.strictObject({ ...changes, name: z.optional(text255) })
export type ServiceGroupDetailPartialUpdate = z.output<typeof ServiceGroupDetailPartialUpdate>
