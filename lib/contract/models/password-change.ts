import * as z from 'zod/mini'
import { flag, nonEmptyText } from './fields.ts'

export const ChangeOwnPasswordRequest = z.strictObject({
  password: nonEmptyText,
  current_password: nonEmptyText,
  current_otp: z.optional(z.nullable(nonEmptyText)),
})
export type ChangeOwnPasswordRequest = z.output<typeof ChangeOwnPasswordRequest>

export const ChangePasswordRequest = z.strictObject({
  password: nonEmptyText,
  /** Whether the user must choose another password at the next sign-in. Omitted, this stays as it is. */
  password_change_required: z.optional(flag),
})
export type ChangePasswordRequest = z.output<typeof ChangePasswordRequest>
