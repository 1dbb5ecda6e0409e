import * as z from 'zod/mini'
import { integer, nonEmptyText, texts } from './fields.ts'

export const EnableTOTPRequest = z.strictObject({ key: nonEmptyText, otp: nonEmptyText })
export type EnableTOTPRequest = z.output<typeof EnableTOTPRequest>

/** Recovery codes. Each works once instead of a one-time password. No other response contains them. */
export const EnableTOTP = z.strictObject({ recovery_codes: texts })
export type EnableTOTP = z.output<typeof EnableTOTP>

/** New recovery codes. The ones before no longer work. */
export const RecoveryCodes = z.strictObject({ recovery_codes: texts })
export type RecoveryCodes = z.output<typeof RecoveryCodes>

export const SyncTOTPRequest = z.strictObject({ otp: nonEmptyText })
export type SyncTOTPRequest = z.output<typeof SyncTOTPRequest>

/** How many steps of 30 seconds the clock of the authenticator app is ahead of the service. */
export const SyncTOTP = z.strictObject({ drift: integer })
export type SyncTOTP = z.output<typeof SyncTOTP>
