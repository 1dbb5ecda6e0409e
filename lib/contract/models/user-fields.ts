import * as z from 'zod/mini'
import {
  anyText,
  flag,
  id,
  int32,
  integer,
  nonEmptyText,
  nullableDateTime,
  nullableTextUpTo255,
  readOnlyFlag,
  readOnlyText,
  readOnlyTexts,
  text255,
  texts,
} from './fields.ts'

export const language = z.nullable(z.enum(['', 'en', 'fr', 'de', 'nb', 'ja', 'es', 'xx']))
export const nullableInt32 = z.nullable(int32)
/** Bytes per second. */
export const shaper = z.nullable(integer.check(z.minimum(0)))
export const avatar = z.readonly(z.nullable(nonEmptyText))

const readOnlyNullableTexts = z.readonly(z.nullable(texts))

/** The fields of every full view of a user. The views differ in `groups` and `ldap`. */
export const userFields = {
  id,
  allow_changing_password: flag,
  allow_wan_login: flag,
  allowed_fs_paths: readOnlyNullableTexts,
  allowed_fs_write_paths: readOnlyNullableTexts,
  avatar,
  default_page: text255,
  display_name: readOnlyText,
  effective_permissions: readOnlyTexts,
  email: nullableTextUpTo255,
  /** Whether the address was confirmed, or set by an administrator. An extension, so it is optional. */
  email_verified: z.optional(readOnlyFlag),
  expiry: nullableDateTime,
  fm_bookmarks: texts,
  full_name: nullableTextUpTo255,
  gid: nullableInt32,
  group_permissions: readOnlyTexts,
  has_password: readOnlyFlag,
  home: z.nullable(id),
  is_external: flag,
  is_cloud: flag,
  is_cloud_default: readOnlyFlag,
  is_enabled: flag,
  language,
  ldap_dn: nullableTextUpTo255,
  password_change_required: flag,
  permissions: texts,
  shaper_ceiling: shaper,
  shaper_rate: shaper,
  sync_id: readOnlyText,
  totp_enabled: readOnlyFlag,
  uid: nullableInt32,
  unix_username: nullableTextUpTo255,
  username: text255,
  last_seen: z.optional(z.readonly(nullableDateTime)),
  ldap_guid: z.optional(z.readonly(z.nullable(anyText))),
}
