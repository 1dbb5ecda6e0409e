import * as z from 'zod/mini'
import { anyText, flag, nonEmptyText } from './fields.ts'
import { ServiceUserDetail } from './user-detail.ts'

export const AuthLoginEndpointRequest = z.strictObject({
  username: nonEmptyText,
  password: nonEmptyText,
  otp: z.optional(z.nullable(anyText)),
  new_password: z.optional(z.nullable(nonEmptyText)),
  /** Asks for a session that can only set up a second factor, if the policy requires one that the user does not have. */
  second_factor_setup: z.optional(flag),
})
export type AuthLoginEndpointRequest = z.output<typeof AuthLoginEndpointRequest>

const maybeText = z.optional(nonEmptyText)

export const AuthLoginEndpointResponse = z.strictObject({
  user: ServiceUserDetail,
  reason: maybeText,
  detail: maybeText,
  redirect: maybeText,
  /** Published clients know it as optional. It always comes. */
  session_key: nonEmptyText,
})
export type AuthLoginEndpointResponse = z.output<typeof AuthLoginEndpointResponse>
