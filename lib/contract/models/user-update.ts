import * as z from 'zod/mini'
import { nullableDisplayText255 } from './display-text.ts'
import { flag, givenDateTime, id, ids, jsonValue, nullableTextUpTo255, text255, texts } from './fields.ts'
import { startPage } from './page-address.ts'
import { givenPermissions } from './permissions.ts'
import { language, nullableInt32, shaper } from './user-fields.ts'

const maybeFlag = z.optional(flag)
const maybeInt32 = z.optional(nullableInt32)
const maybeText = z.optional(nullableTextUpTo255)
const maybeName = z.optional(nullableDisplayText255)
const maybeShaper = z.optional(shaper)

const changes = {
  allow_changing_password: maybeFlag,
  allow_wan_login: maybeFlag,
  default_page: z.optional(startPage),
  email: maybeText,
  expiry: z.optional(z.nullable(givenDateTime)),
  fm_bookmarks: z.optional(texts),
  full_name: maybeName,
  gid: maybeInt32,
  home: z.optional(z.nullable(id)),
  is_external: maybeFlag,
  is_cloud: maybeFlag,
  is_enabled: maybeFlag,
  language: z.optional(language),
  ldap: z.optional(jsonValue),
  ldap_dn: maybeName,
  password_change_required: maybeFlag,
  shaper_ceiling: maybeShaper,
  shaper_rate: maybeShaper,
  uid: maybeInt32,
  unix_username: maybeName,
}

export const ServiceUserDetailUpdate = z.strictObject({
  ...changes,
  permissions: givenPermissions,
  username: text255,
  groups: ids,
})
export type ServiceUserDetailUpdate = z.output<typeof ServiceUserDetailUpdate>

/** A new user. `invite` is an extension: it sends an invitation in the same step. */
export const ServiceUserDetailCreation = z.strictObject({
  ...ServiceUserDetailUpdate.def.shape,
  invite: maybeFlag,
})
export type ServiceUserDetailCreation = z.output<typeof ServiceUserDetailCreation>

export const ServiceUserDetailPartialUpdate = z.strictObject({
  ...changes,
  permissions: z.optional(givenPermissions),
  username: z.optional(text255),
  groups: z.optional(ids),
})
export type ServiceUserDetailPartialUpdate = z.output<typeof ServiceUserDetailPartialUpdate>
