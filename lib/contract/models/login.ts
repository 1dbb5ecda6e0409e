import * as z from 'zod/mini'
import { anyText, nonEmptyText } from './fields.ts'
import { ServiceUserDetail } from './user-detail.ts'

export const AuthLoginEndpointRequest = z.strictObject({
  username: nonEmptyText,
  password: nonEmptyText,
  otp: z.optional(z.nullable(anyText)),
  new_password: z.optional(z.nullable(nonEmptyText)),
})
export type AuthLoginEndpointRequest = z.output<typeof AuthLoginEndpointRequest>

const maybeText = z.optional(nonEmptyText)

export const AuthLoginEndpointResponse = z.strictObject({
  user: ServiceUserDetail,
  reason: maybeText,
  detail: maybeText,
  redirect: maybeText,
  session_key: maybeText,
})
export type AuthLoginEndpointResponse = z.output<typeof AuthLoginEndpointResponse>
