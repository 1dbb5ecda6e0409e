import * as z from 'zod/mini'
import { anyText, flag, id, integer, nonEmptyText, texts } from './fields.ts'

// Requests and responses of OAuth endpoints. Servers ignore fields that they do not know (RFC 6749 3.1).

const maybeText = z.optional(anyText)

export const UserinfoRequest = z.object({
  /** RFC 6750 2.2. */
  access_token: maybeText,
})
export type UserinfoRequest = z.output<typeof UserinfoRequest>

/** The administrator who impersonates the user (RFC 8693 4.1). */
export const TokenActor = z.strictObject({ sub: nonEmptyText, preferred_username: nonEmptyText })
export type TokenActor = z.output<typeof TokenActor>

/** OpenID Connect Core 5.3.2. Which claims are present depends on the scopes. */
export const Userinfo = z.strictObject({
  sub: nonEmptyText,
  preferred_username: maybeText,
  name: maybeText,
  locale: maybeText,
  email: maybeText,
  email_verified: z.optional(flag),
  groups: z.optional(texts),
  permissions: z.optional(texts),
  act: z.optional(TokenActor),
})
export type Userinfo = z.output<typeof Userinfo>

/** RFC 7662 2.1, and RFC 7009 2.1. */
export const OAuthTokenRequest = z.object({
  token: nonEmptyText,
  token_type_hint: maybeText,
  client_id: maybeText,
  client_secret: maybeText,
})
export type OAuthTokenRequest = z.output<typeof OAuthTokenRequest>

/** Revocation has no result. */
export const RevocationResult = z.strictObject({})
export type RevocationResult = z.output<typeof RevocationResult>

/** RFC 7662 2.2. */
export const Introspection = z.strictObject({
  active: flag,
  scope: maybeText,
  client_id: maybeText,
  username: maybeText,
  token_type: z.optional(z.literal('Bearer')),
  /** Epoch seconds. */
  exp: z.optional(integer),
  iat: z.optional(integer),
  sub: maybeText,
  aud: maybeText,
  iss: maybeText,
  jti: maybeText,
  sid: maybeText,
  amr: z.optional(texts),
  auth_time: z.optional(integer),
  groups: z.optional(texts),
  permissions: z.optional(texts),
  act: z.optional(TokenActor),
  access_link: z.optional(id),
})
export type Introspection = z.output<typeof Introspection>
