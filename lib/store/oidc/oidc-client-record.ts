import { createCodec } from '../engine/codec.ts'
import type { UniqueNameKind, UniqueNameRecord } from '../engine/unique-name-records.ts'
import { oidcClientKey } from '../keys/oidc-keys.ts'

/** A product that signs its users in by OpenID Connect. */
export interface OidcClient extends UniqueNameRecord {
  /** The identifier in the protocol. It contains the ID: see `oidc/client-id.ts`. */
  readonly clientId: string
  /** A public client, such as an app or a page, cannot keep a secret. */
  readonly type: OidcClientType
  /** The SHA-256 of the secret. Null for public clients, and for clients whose secret was revoked. */
  readonly secretHash: string | null
  /** Compared as they are (RFC 9700 2.1). */
  readonly redirectUris: readonly string[]
  readonly postLogoutRedirectUris: readonly string[]
  /** The scopes that the client may request. */
  readonly scopes: readonly string[]
  /** The servers that the client may request access tokens for. */
  readonly audiences: readonly string[]
  /** The permissions that tokens of the client may state, if their user has them. */
  readonly permissions: readonly string[]
  readonly backchannelLogoutUri: string | null
  readonly accessTokenLifetimeMs: number
  readonly idTokenLifetimeMs: number
  readonly refreshTokenLifetimeMs: number
  /** The administrator who registered the client. */
  readonly createdBy: number
  /** Epoch milliseconds. */
  readonly createdAt: number
}

export type OidcClientType = 'public' | 'confidential'

export const oidcClientKind: UniqueNameKind<OidcClient> = {
  name: 'oidc-client',
  keyOf: oidcClientKey,
  codec: createCodec<OidcClient>('OpenID Connect client', {
    id: 'number',
    name: 'string',
    normalizedName: 'string',
    version: 'number',
    clientId: 'string',
    type: 'string',
    redirectUris: 'list',
    postLogoutRedirectUris: 'list',
    scopes: 'list',
    audiences: 'list',
    permissions: 'list',
    accessTokenLifetimeMs: 'number',
    idTokenLifetimeMs: 'number',
    refreshTokenLifetimeMs: 'number',
  }),
}
