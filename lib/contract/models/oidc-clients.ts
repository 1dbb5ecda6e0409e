import * as z from 'zod/mini'
import { dateTime, flag, id, nonEmptyText, readOnlyText, text, text255 } from './fields.ts'
import { oidcScopes } from './oidc-scopes.ts'
import { clientPermissions } from './permissions.ts'

/** A client is read with each request of its product, so it stays small. */
const uris = z.array(text(500)).check(z.maxLength(20))
const audiences = z.array(text255).check(z.maxLength(20))
const scopes = z.array(z.enum(oidcScopes)).check(z.maxLength(oidcScopes.length))
const backchannelLogoutUri = z.nullable(text(500))
const clientType = z.enum(['confidential', 'public'])

const seconds = (minimum: number, maximum: number) => z.int().check(z.minimum(minimum), z.maximum(maximum))
/** Signed tokens live an hour at most. */
const tokenLifetime = seconds(60, 3600)
/** A refresh token ends with its session, and no session lives longer. */
const refreshTokenLifetime = seconds(60, 30 * 86_400)

const settable = {
  name: text255,
  redirect_uris: uris,
  post_logout_redirect_uris: uris,
  scopes,
  audiences,
  permissions: clientPermissions,
  backchannel_logout_uri: backchannelLogoutUri,
  access_token_lifetime: tokenLifetime,
  id_token_lifetime: tokenLifetime,
  refresh_token_lifetime: refreshTokenLifetime,
}

const fields = {
  id,
  client_id: readOnlyText,
  type: clientType,
  ...settable,
  has_client_secret: z.readonly(flag),
  created_at: z.readonly(dateTime),
}

export const OIDCClient = z.strictObject(fields)
export type OIDCClient = z.output<typeof OIDCClient>

/** A new client. The secret is null for public clients. */
export const OIDCClientWithSecret = z.strictObject({ ...fields, client_secret: z.nullable(nonEmptyText) })
export type OIDCClientWithSecret = z.output<typeof OIDCClientWithSecret>

const changes = {
  type: z.optional(clientType),
  post_logout_redirect_uris: z.optional(uris),
  scopes: z.optional(scopes),
  audiences: z.optional(audiences),
  permissions: z.optional(clientPermissions),
  backchannel_logout_uri: z.optional(backchannelLogoutUri),
  access_token_lifetime: z.optional(tokenLifetime),
  id_token_lifetime: z.optional(tokenLifetime),
  refresh_token_lifetime: z.optional(refreshTokenLifetime),
}

export const OIDCClientUpdate = z.strictObject({ ...changes, name: text255, redirect_uris: uris })
export type OIDCClientUpdate = z.output<typeof OIDCClientUpdate>

export const OIDCClientPartialUpdate = z.strictObject({
  ...changes,
  name: z.optional(text255),
  redirect_uris: z.optional(uris),
})
export type OIDCClientPartialUpdate = z.output<typeof OIDCClientPartialUpdate>

export const OIDCClientSecret = z.strictObject({ client_secret: nonEmptyText })
export type OIDCClientSecret = z.output<typeof OIDCClientSecret>
