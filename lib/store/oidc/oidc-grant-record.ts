import { createCodec } from '../engine/codec.ts'

/**
 * What a user granted a client in one authorization. Codes, refresh tokens and access tokens depend on it: they end with
 * the grant, and with everything that the grant names.
 */
export interface OidcGrantRecord {
  /** Random. It contains no dot, because identifiers of access tokens are `<id>.<random>`. */
  readonly id: string
  readonly clientId: string
  /** The user of the tokens: during impersonation, the impersonated user. */
  readonly userId: number
  /** The session of the authorization. During impersonation it belongs to the administrator. */
  readonly session: { readonly userId: number; readonly hash: string }
  /** The identifier of the session in tokens. */
  readonly sid: string
  readonly scopes: readonly string[]
  /** Epoch milliseconds, like all times here. */
  readonly createdAt: number
  readonly expiresAt: number
}

export const oidcGrantCodec = createCodec<OidcGrantRecord>('OpenID Connect grant', {
  id: 'string',
  clientId: 'string',
  userId: 'number',
  session: 'map',
  sid: 'string',
  scopes: 'list',
  createdAt: 'number',
  expiresAt: 'number',
})
