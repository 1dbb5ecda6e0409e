import * as z from 'zod/mini'
import { flag, nonEmptyText } from './fields.ts'

export const PasswordResetEndpointRequest = z.strictObject({
  token: nonEmptyText,
  password: nonEmptyText,
  /** Whether all API tokens of the user end. */
  end_api_tokens: z.optional(flag),
})
export type PasswordResetEndpointRequest = z.output<typeof PasswordResetEndpointRequest>

/** The account that gets a reset link, by username or by email address. */
export const RequestPasswordResetRequest = z
  .strictObject({ username: z.optional(nonEmptyText), email: z.optional(nonEmptyText) })
  .check(
    z.refine(
      ({ username, email }) => (username === undefined) !== (email === undefined),
      'must contain either `username` or `email`',
    ),
  )
export type RequestPasswordResetRequest = z.output<typeof RequestPasswordResetRequest>
