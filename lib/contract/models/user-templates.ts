import * as z from 'zod/mini'
import { flag, id, ids, text255, texts } from './fields.ts'
import { startPage } from './page-address.ts'
import { givenPermissions } from './permissions.ts'
import { language } from './user-fields.ts'

/** The initial values of users that are created automatically. */
export const UserTemplate = z.strictObject({
  id,
  name: text255,
  permissions: texts,
  groups: ids,
  language,
  default_page: text255,
  is_external: flag,
})
export type UserTemplate = z.output<typeof UserTemplate>

const changes = {
  permissions: z.optional(givenPermissions),
  groups: z.optional(ids),
  language: z.optional(language),
  default_page: z.optional(startPage),
  is_external: z.optional(flag),
}

export const UserTemplateUpdate = z.strictObject({ ...changes, name: text255 })
export type UserTemplateUpdate = z.output<typeof UserTemplateUpdate>

export const UserTemplatePartialUpdate = z.strictObject({ ...changes, name: z.optional(text255) })
export type UserTemplatePartialUpdate = z.output<typeof UserTemplatePartialUpdate>
