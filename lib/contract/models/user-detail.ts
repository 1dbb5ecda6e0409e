import * as z from 'zod/mini'
import { ids, jsonValue, readOnlyTexts } from './fields.ts'
import { userFields } from './user-fields.ts'
import { UserInvitationState } from './user-invitation.ts'

/** The fields that also servers see which exchange a ticket for a user. */
export const sharedUserFields = { ...userFields, groups: ids, ldap: jsonValue }

export const ServiceUserDetail = z.strictObject({
  ...sharedUserFields,
  /** An extension for those who manage users, so it is optional. */
  invitation: z.optional(z.readonly(z.nullable(UserInvitationState))),
  /** An extension, too. Only users have it to whom it matters. */
  withheld_permissions: z.optional(readOnlyTexts),
})
export type ServiceUserDetail = z.output<typeof ServiceUserDetail>
