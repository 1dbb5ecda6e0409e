import * as z from 'zod/mini'
import {
  flag,
  id,
  ids,
  int32,
  nullableDateTime,
  readOnlyDateTime,
  readOnlyFlag,
  readOnlyText,
  readOnlyTexts,
  text,
  text255,
} from './fields.ts'
import { OneTimeAccessTokenSharedObject } from './shared-object.ts'
import { ServiceUserMini } from './user-mini.ts'

export const OneTimeAccessTokenActivity = z.strictObject({
  id,
  date: readOnlyDateTime,
  ip: text255,
  token: id,
})
export type OneTimeAccessTokenActivity = z.output<typeof OneTimeAccessTokenActivity>

const text1023 = text(1023)
const sharedObjects = z.readonly(z.array(OneTimeAccessTokenSharedObject))
const maybeId = z.optional(z.readonly(z.nullable(id)))

export const OneTimeAccessToken = z.strictObject({
  id,
  activity: z.readonly(z.array(OneTimeAccessTokenActivity)),
  user: ServiceUserMini,
  media_root_permissions: z.readonly(ids),
  shared_bundles: sharedObjects,
  shared_directories: sharedObjects,
  full_url: readOnlyText,
  has_password: readOnlyFlag,
  url: text1023,
  token: text1023,
  created_at: readOnlyDateTime,
  view_limit_enabled: flag,
  view_limit_left: int32,
  expires: nullableDateTime,
  require_login: flag,
  created_by: z.optional(ServiceUserMini),
  is_easy_sharing_for_bundle: maybeId,
  is_easy_sharing_for_directory: maybeId,
})
export type OneTimeAccessToken = z.output<typeof OneTimeAccessToken>

/** What everyone who has the value of a token can see of it. */
export const RestrictedOneTimeAccessToken = z.strictObject({
  id,
  has_password: readOnlyFlag,
  user: ServiceUserMini,
  url: text1023,
  full_url: readOnlyText,
  // Optional, so that no client requires them or fails because of them.
  shared_by: z.optional(readOnlyText),
  product: z.optional(z.readonly(z.nullable(z.string()))),
  shared_items: z.optional(readOnlyTexts),
})
export type RestrictedOneTimeAccessToken = z.output<typeof RestrictedOneTimeAccessToken>
