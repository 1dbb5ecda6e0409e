import * as z from 'zod/mini'
import { id } from './fields.ts'
import { userFields } from './user-fields.ts'

/** A user as a member of a group. */
export const ServiceUser = z.strictObject({
  ...userFields,
  ldap: z.optional(z.readonly(z.nullable(id))),
})
export type ServiceUser = z.output<typeof ServiceUser>

/** A reference to a user in another body. */
export const ServiceUserReference = z.strictObject({ id })
export type ServiceUserReference = z.output<typeof ServiceUserReference>
