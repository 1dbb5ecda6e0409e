import { createCodec } from '../engine/codec.ts'

/**
 * The public part of a key that signs JWTs. Its state follows from its times alone, so that no function has to change
 * it: published from `createdAt`, signing from `signsFrom` to `signsUntil`, published until `publishedUntil`.
 */
export interface SigningKeyRecord {
  /** Keys are numbered from 1. The number is part of the key of the item, so that concurrent runs create one key. */
  readonly number: number
  /** The thumbprint of the public key (RFC 7638). */
  readonly kid: string
  /** The modulus and the exponent of the RSA key (RFC 7518 6.3.1). */
  readonly modulus: string
  readonly exponent: string
  /** Epoch milliseconds, like all times here. */
  readonly createdAt: number
  readonly signsFrom: number
  readonly signsUntil: number
  readonly publishedUntil: number
}

/** The private part of a signing key: PKCS #8 as base64, encrypted by the vault. */
export interface PrivateSigningKeyRecord {
  readonly number: number
  readonly kid: string
  readonly cipher: string
}

export const signingKeyCodec = createCodec<SigningKeyRecord>('signing key', {
  number: 'number',
  kid: 'string',
  modulus: 'string',
  exponent: 'string',
  createdAt: 'number',
  signsFrom: 'number',
  signsUntil: 'number',
  publishedUntil: 'number',
})

export const privateSigningKeyCodec = createCodec<PrivateSigningKeyRecord>('private signing key', {
  number: 'number',
  kid: 'string',
  cipher: 'string',
})
