import * as z from 'zod/mini'
import { anyText, dateTime, flag, nonEmptyText, text } from './fields.ts'

export const RequestEmailCodeRequest = z.strictObject({ username: nonEmptyText })
export type RequestEmailCodeRequest = z.output<typeof RequestEmailCodeRequest>

export const RequestEmailCodeResponse = z.strictObject({
  /** Belongs to the browser that asked. The code works only together with it. */
  request_id: nonEmptyText,
  expires: dateTime,
})
export type RequestEmailCodeResponse = z.output<typeof RequestEmailCodeResponse>

export const EmailCodeLoginRequest = z.strictObject({
  request_id: text(64),
  code: text(64),
  otp: z.optional(z.nullable(anyText)),
  second_factor_setup: z.optional(flag),
})
export type EmailCodeLoginRequest = z.output<typeof EmailCodeLoginRequest>
