import * as z from 'zod/mini'
import { anyText, nonEmptyText } from './fields.ts'

/** What proves the identity of a signed-in user. */
export const ReauthenticateRequest = z.strictObject({
  password: z.optional(nonEmptyText),
  otp: z.optional(z.nullable(anyText)),
})
export type ReauthenticateRequest = z.output<typeof ReauthenticateRequest>
