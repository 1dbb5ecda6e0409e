import * as z from 'zod/mini'
import { anyText, flag } from './fields.ts'

/** Without `confirm` a new key is made and published beside the one in use; with it, the new one takes its place. */
export const RotateSPKeyRequest = z.strictObject({ confirm: z.optional(flag) })
export type RotateSPKeyRequest = z.output<typeof RotateSPKeyRequest>

/** The certificates of a provider's keys: the one that requests are signed with, and the one that waits, if any. */
export const SPKeyRotation = z.strictObject({
  sp_certificate: z.nullable(anyText),
  next_sp_certificate: z.nullable(anyText),
})
export type SPKeyRotation = z.output<typeof SPKeyRotation>
