import * as z from 'zod/mini'
import { id, nonEmptyText, text } from './fields.ts'

const name = text(1023)

export const APIToken = z.strictObject({ id, name })
export type APIToken = z.output<typeof APIToken>

export const APITokenWithSecret = z.strictObject({ id, token: nonEmptyText, name })
export type APITokenWithSecret = z.output<typeof APITokenWithSecret>

export const APITokenWithSecretUpdate = z.strictObject({
  name,
  /** A value that the caller chose. */
  token: z.optional(
    nonEmptyText.check(
      z.regex(/^[\w.~-]{32,1023}$/, 'must be 32 to 1023 letters, digits, or - . _ ~, or be omitted'),
    ),
  ),
})
export type APITokenWithSecretUpdate = z.output<typeof APITokenWithSecretUpdate>

export const APITokenUpdate = z.strictObject({ name })
export type APITokenUpdate = z.output<typeof APITokenUpdate>

export const APITokenPartialUpdate = z.strictObject({ name: z.optional(name) })
export type APITokenPartialUpdate = z.output<typeof APITokenPartialUpdate>
