import * as z from 'zod/mini'
import { nonEmptyText } from './fields.ts'
import { emailAddress } from './mail-fields.ts'

export const ConfirmEmailRequest = z.strictObject({ token: nonEmptyText })
export type ConfirmEmailRequest = z.output<typeof ConfirmEmailRequest>

export const ChangeOwnEmailRequest = z.strictObject({ email: emailAddress.check(z.maxLength(255)) })
export type ChangeOwnEmailRequest = z.output<typeof ChangeOwnEmailRequest>
