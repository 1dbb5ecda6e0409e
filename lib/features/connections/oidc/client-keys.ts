import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  importPKCS8,
  type JWK,
} from 'jose'

/** The algorithm that identity providers know best. */
const algorithm = 'RS256'

/** The key of a connection, with which this service proves who it is (RFC 7523 2.2). */
export interface ClientKey {
  /** PKCS #8 in PEM. It is encrypted before it is stored. */
  readonly privateKey: string
  /** What the identity provider needs to know. */
  readonly publicJwk: JWK
}

export const createClientKey = async (): Promise<ClientKey> => {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true })
  const jwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  return { privateKey: await exportPKCS8(privateKey), publicJwk: { ...jwk, kid, alg: algorithm, use: 'sig' } }
}

export const readClientKey = (pem: string): Promise<CryptoKey> => importPKCS8(pem, algorithm)
