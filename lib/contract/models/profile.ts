import * as z from 'zod/mini'
import { nullableDisplayText255 } from './display-text.ts'
import {
  id,
  integer,
  jsonValue,
  nonEmptyText,
  nullableTextUpTo255,
  readOnlyDateTime,
  readOnlyFlag,
  readOnlyText,
  readOnlyTexts,
  text255,
  texts,
} from './fields.ts'
import { startPage } from './page-address.ts'
import { avatar, language } from './user-fields.ts'
import { ServiceUserMini } from './user-mini.ts'

const readOnlyMaybeText = z.optional(z.readonly(z.nullable(nonEmptyText)))
const readOnlyMaybeInteger = z.optional(z.readonly(z.nullable(integer)))

/** What users see of their own account. */
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
  /** Whether the address was confirmed, and the one that waits for a confirmation to replace it. Both are extensions. */
  email_verified: z.optional(readOnlyFlag),
  pending_email: readOnlyMaybeText,
  ldap: z.optional(jsonValue),
  shaper_rate: readOnlyMaybeInteger,
  shaper_ceiling: readOnlyMaybeInteger,
  /** How many recovery codes are left, for users with one-time passwords. Administrators do not see it. */
  recovery_codes_left: z.optional(z.readonly(integer)),
  /** The administrator who impersonates this user, if any. This field is an extension of the known interface. */
  impersonated_by: z.optional(ServiceUserMini),
  /** The access link that opened the session, if one did. This field is an extension too. */
  access_link: z.optional(z.readonly(id)),
  /** From then on the user needs a second factor, which they do not have. This field is an extension too. */
  second_factor_required_from: z.optional(readOnlyDateTime),
})
export type ServiceUserProfile = z.output<typeof ServiceUserProfile>

/** What users can change in their own account. */
export const ServiceUserProfileUpdate = z.strictObject({
  default_page: z.optional(startPage),
  full_name: z.optional(nullableDisplayText255),
  language: z.optional(language),
  fm_bookmarks: z.optional(texts),
})
export type ServiceUserProfileUpdate = z.output<typeof ServiceUserProfileUpdate>

/** The same fields, because all of them are optional in both requests. */
export const ServiceUserProfilePartialUpdate = ServiceUserProfileUpdate
export type ServiceUserProfilePartialUpdate = ServiceUserProfileUpdate
