import * as z from 'zod/mini'
import { nonEmptyText } from './fields.ts'

export const ChangeOwnPasswordRequest = z.strictObject({
  password: nonEmptyText,
  current_password: nonEmptyText,
  current_otp: z.optional(z.nullable(nonEmptyText)),
})
export type ChangeOwnPasswordRequest = z.output<typeof ChangeOwnPasswordRequest>

export const ChangePasswordRequest = z.strictObject({ password: nonEmptyText })
export type ChangePasswordRequest = z.output<typeof ChangePasswordRequest>
