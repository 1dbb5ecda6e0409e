import * as z from 'zod/mini'
import { anyText } from './fields.ts'

const maxCredentials = 100

/** Everything that was found, also texts that are no credentials. */
const found = z
  .array(anyText)
  .check(z.minLength(1), z.maxLength(maxCredentials, `must have at most ${maxCredentials} entries`))

export const LeakedCredentialsRequest = z
  .strictObject({
    token: z.optional(anyText),
    credentials: z.optional(found),
  })
  .check(
    z.refine(({ token, credentials }) => token !== undefined || credentials !== undefined, {
      path: ['credentials'],
      error: 'must be set, or else `token`',
    }),
  )
export type LeakedCredentialsRequest = z.output<typeof LeakedCredentialsRequest>

/** A finding as GitHub sends it to partners of its secret scanning. Only the token counts. */
export const SecretScanningFinding = z.object({
  token: anyText,
  type: z.optional(anyText),
  url: z.optional(anyText),
  source: z.optional(anyText),
})
export type SecretScanningFinding = z.output<typeof SecretScanningFinding>

export const leakReport = z.union([
  LeakedCredentialsRequest,
  z
    .array(SecretScanningFinding)
    .check(z.minLength(1), z.maxLength(maxCredentials, `must have at most ${maxCredentials} entries`)),
])
