import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint'

/** A new key of RSA with 2048 bits, which every verifier of RS256 accepts. */
export interface NewKey {
  readonly kid: string
  readonly modulus: string
  readonly exponent: string
  /** PKCS #8 as base64. It fits the 4 KB that KMS encrypts. */
  readonly privateKey: string
}

const generate = promisify(generateKeyPair)

export const generateKey = async (): Promise<NewKey> => {
  const { publicKey, privateKey } = await generate('rsa', { modulusLength: 2048 })
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' })
  return {
    kid: await calculateJwkThumbprint({ kty: 'RSA', n, e }, 'sha256'),
    modulus: n,
    exponent: e,
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  }
}
