import { createCodec } from '../engine/codec.ts'

/** What the library of the provider stores with a code or a refresh token. */
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
