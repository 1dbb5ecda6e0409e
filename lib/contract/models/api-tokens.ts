import * as z from 'zod/mini'
import { customTokenCharacters, hasCustomTokenLength } from './custom-token-form.ts'
import { displayText } from './display-text.ts'
import { dateTime, givenDateTime, id, nonEmptyText, nullableDateTime, text, texts } from './fields.ts'
import { ServiceUserMini } from './user-mini.ts'

const name = text(1023)
const givenName = displayText(1023)

// Scopes and expiry are set once, at creation. A token that could widen its own scopes would have none.
const readOnly = {
  /** Null for a token that may do all that its owner may. */
  scopes: z.readonly(z.nullable(texts)),
  expires: z.readonly(nullableDateTime),
  created_at: z.readonly(dateTime),
  /** With a precision of one hour. */
  last_used_at: z.readonly(nullableDateTime),
}

export const APIToken = z.strictObject({ id, name, ...readOnly })
export type APIToken = z.output<typeof APIToken>

/** An API token with its owner. */
export const OwnedAPIToken = z.strictObject({ id, name, ...readOnly, user: ServiceUserMini })
export type OwnedAPIToken = z.output<typeof OwnedAPIToken>

export const APITokenWithSecret = z.strictObject({ id, token: nonEmptyText, name, ...readOnly })
export type APITokenWithSecret = z.output<typeof APITokenWithSecret>

const scopeList = texts.check(
  z.refine(({ length }) => length >= 1 && length <= 100, 'must be 1 to 100 scopes long'),
)

export const APITokenWithSecretUpdate = z.strictObject({
  name: givenName,
  /** A value that the caller chose. */
  token: z.optional(
    nonEmptyText.check(
      z.refine(hasCustomTokenLength, 'must be 32 to 1023 characters long'),
      z.regex(customTokenCharacters, 'must contain only letters, digits, and - . _ ~ + /, with = at the end'),
    ),
  ),
  /** What the token is limited to: see the list of scopes. Null or omitted for all that its owner may. */
  scopes: z.optional(z.nullable(scopeList)),
  /** When the token expires. Null or omitted for never. */
  expires: z.optional(z.nullable(givenDateTime)),
})
export type APITokenWithSecretUpdate = z.output<typeof APITokenWithSecretUpdate>

export const APITokenUpdate = z.strictObject({ name: givenName })
export type APITokenUpdate = z.output<typeof APITokenUpdate>

export const APITokenPartialUpdate = z.strictObject({ name: z.optional(givenName) })
export type APITokenPartialUpdate = z.output<typeof APITokenPartialUpdate>
