import { createCodec } from '../engine/codec.ts'

/** What the library of the provider stores with a code, a refresh token or an interaction. */
export type OidcPayload = Readonly<Record<string, unknown>>

/** A code or a refresh token. It is stored under its hash, and ends with its grant. */
export interface OidcTokenRecord {
  readonly grantId: string
  readonly payload: OidcPayload
  /** Epoch milliseconds, like all times here. */
  readonly expiresAt: number
  /** When it was used. A second use ends the grant. */
  readonly usedAt?: number
}

export const oidcTokenCodec = createCodec<OidcTokenRecord>('OpenID Connect token', {
  grantId: 'string',
  payload: 'map',
  expiresAt: 'number',
})

/** An authorization that waits for its user to sign in. It is stored under the hash of its random identifier. */
export interface OidcInteractionRecord {
  /** The hash of the cookie by which the browser proves that it started the authorization. */
  readonly browser: string
  /** Whether the user must prove their identity again after `createdAt`, also if they are signed in. */
  readonly needsNewProof: boolean
  readonly payload: OidcPayload
  readonly createdAt: number
  readonly expiresAt: number
  /** How often the browser was sent back to the sign-in page. */
  readonly returns: number
}

export const oidcInteractionCodec = createCodec<OidcInteractionRecord>('OpenID Connect interaction', {
  browser: 'string',
  needsNewProof: 'boolean',
  payload: 'map',
  createdAt: 'number',
  expiresAt: 'number',
  returns: 'number',
})
