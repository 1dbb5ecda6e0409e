import * as z from 'zod/mini'
import { anyText, flag } from './fields.ts'

/** Without `confirm`, a new key is generated and published next to the current one. With it, the new key replaces it. */
export const RotateSPKeyRequest = z.strictObject({ confirm: z.optional(flag) })
export type RotateSPKeyRequest = z.output<typeof RotateSPKeyRequest>

/** The certificate of the key that signs requests, and that of the next key, if there is one. */
export const SPKeyRotation = z.strictObject({
  sp_certificate: z.nullable(anyText),
  next_sp_certificate: z.nullable(anyText),
})
export type SPKeyRotation = z.output<typeof SPKeyRotation>
