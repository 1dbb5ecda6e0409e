import * as z from 'zod/mini'
import {
  id,
  integer,
  jsonValue,
  nonEmptyText,
  nullableTextUpTo255,
  readOnlyFlag,
  readOnlyText,
  readOnlyTexts,
  text255,
  texts,
} from './fields.ts'
import { avatar, language } from './user-fields.ts'
import { ServiceUserMini } from './user-mini.ts'

const readOnlyMaybeText = z.optional(z.readonly(z.nullable(nonEmptyText)))
const readOnlyMaybeInteger = z.optional(z.readonly(z.nullable(integer)))

/** A user as it sees itself. */
export const ServiceUserProfile = z.strictObject({
  avatar,
  default_page: text255,
  full_name: nullableTextUpTo255,
  language,
  fm_bookmarks: texts,
  id,
  username: z.readonly(nonEmptyText),
  display_name: readOnlyText,
  effective_permissions: readOnlyTexts,
  has_password: readOnlyFlag,
  allow_changing_password: readOnlyFlag,
  totp_enabled: readOnlyFlag,
  unix_username: readOnlyMaybeText,
  email: readOnlyMaybeText,
  ldap: z.optional(jsonValue),
  shaper_rate: readOnlyMaybeInteger,
  shaper_ceiling: readOnlyMaybeInteger,
  /** The administrator who goes on as this user, while one does; no part of the interface as it was asked for. */
  impersonated_by: z.optional(ServiceUserMini),
})
export type ServiceUserProfile = z.output<typeof ServiceUserProfile>

/** What a user may change of itself. */
export const ServiceUserProfileUpdate = z.strictObject({
  default_page: z.optional(text255),
  full_name: z.optional(nullableTextUpTo255),
  language: z.optional(language),
  fm_bookmarks: z.optional(texts),
})
export type ServiceUserProfileUpdate = z.output<typeof ServiceUserProfileUpdate>

/** The same fields, all of which may be left out either way. */
export const ServiceUserProfilePartialUpdate = ServiceUserProfileUpdate
export type ServiceUserProfilePartialUpdate = ServiceUserProfileUpdate
