import * as z from 'zod/mini'
import { nonEmptyText } from './fields.ts'

export const PasswordResetEndpointRequest = z.strictObject({
  token: nonEmptyText,
  password: nonEmptyText,
})
export type PasswordResetEndpointRequest = z.output<typeof PasswordResetEndpointRequest>

/** Whom to mail a reset link: an account, by one of its two names. */
export const RequestPasswordResetRequest = z
  .strictObject({ username: z.optional(nonEmptyText), email: z.optional(nonEmptyText) })
  .check(
    z.refine(
      ({ username, email }) => (username === undefined) !== (email === undefined),
      'must hold either username or email',
    ),
  )
export type RequestPasswordResetRequest = z.output<typeof RequestPasswordResetRequest>
