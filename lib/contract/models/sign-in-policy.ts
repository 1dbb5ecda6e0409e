import * as z from 'zod/mini'
import { flag, id, integer, text255 } from './fields.ts'

/** What the service requires of sign-ins. A document replaces the whole policy. */
export const SignInPolicy = z.strictObject({
  second_factor_for_everybody: z.optional(flag),
  second_factor_for_permissions: z.optional(z.array(text255).check(z.maxLength(50))),
  second_factor_for_groups: z.optional(z.array(id).check(z.maxLength(100))),
  second_factor_grace_days: z.optional(integer.check(z.minimum(0), z.maximum(365))),
  password_only_min_length: z.optional(z.nullable(integer.check(z.minimum(0), z.maximum(128)))),
  allow_email_codes: z.optional(flag),
})
export type SignInPolicy = z.output<typeof SignInPolicy>
