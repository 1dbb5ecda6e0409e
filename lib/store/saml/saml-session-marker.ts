import { createCodec } from '../engine/codec.ts'

/** Finds a session by the names that an identity provider has for it. */
export interface SamlMarker {
  readonly userId: number
  readonly hash: string
  readonly nameIdFormat: string | null
  readonly sessionIndex: string | null
}

export const samlMarkerCodec = createCodec<SamlMarker>('SAML session marker', {
  userId: 'number',
  hash: 'string',
})
