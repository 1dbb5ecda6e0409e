import { createPublicKey } from 'node:crypto'
import type { PublicClientKey } from '../store/oidc/clients.ts'

/** The algorithms that clients can sign assertions with. */
export const clientAssertionAlgorithms: readonly string[] = ['RS256', 'PS256', 'ES256', 'EdDSA']

const algorithmsOf = new Map<string, readonly string[]>([
  ['RSA', ['RS256', 'PS256']],
  ['EC', ['ES256']],
  ['OKP', ['EdDSA']],
])
const curveOf = new Map<string, string>([
  ['EC', 'P-256'],
  ['OKP', 'Ed25519'],
])
const [fewestBits, mostBits] = [2048, 4096]

/** The rule that a public key breaks, or undefined if it is valid. */
export const findClientKeyError = (jwk: PublicClientKey): string | undefined => {
  const algorithms = algorithmsOf.get(jwk.kty)
  if (!algorithms) return 'must be an RSA, EC or OKP key'
  if (jwk.alg !== undefined && !algorithms.includes(jwk.alg))
    return `must have the alg ${algorithms.join(' or ')}`
  if (jwk.use !== undefined && jwk.use !== 'sig') return 'must be a key for signatures'
  if (jwk.kty !== 'RSA' && jwk.crv !== curveOf.get(jwk.kty))
    return `must have the curve ${curveOf.get(jwk.kty)}`
  const bits = readBits(jwk)
  if (bits === undefined) return 'must be a public key in the form of RFC 7517'
  return jwk.kty === 'RSA' && (bits < fewestBits || bits > mostBits)
    ? `must have ${fewestBits} to ${mostBits} bits`
    : undefined
}

/** The size of an RSA key, or 0 for another one. Undefined if it is no key. */
const readBits = (jwk: PublicClientKey): number | undefined => {
  try {
    return createPublicKey({ key: { ...jwk }, format: 'jwk' }).asymmetricKeyDetails?.modulusLength ?? 0
  } catch {
    return undefined
  }
}
