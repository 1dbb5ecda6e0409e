import { type AsymmetricKeyDetails, createPublicKey } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { decodeProtectedHeader } from 'jose/decode/protected_header'
import { decodeJwt } from 'jose/jwt/decode'
import { jwtVerify } from 'jose/jwt/verify'
import { importJWK } from 'jose/key/import'
import { jwtCharacters, oauthAssertionMs } from '../../kernel/limits/limits.ts'
import type { Services } from '../../services.ts'
import type { ClientRecord, PublicClientKey } from './clients.records.ts'
import { noteProof } from './tokens.records.ts'

/** RFC 7523 2.2. */
export const clientAssertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** The client that an assertion claims to be of. Nothing of it is verified. */
export const readAssertionClient = (assertion: string): string | undefined => {
  if (assertion.length > jwtCharacters) return undefined
  try {
    return decodeJwt(assertion).sub
  } catch {
    return undefined
  }
}

/** The name of the key that an assertion claims to be signed with. Nothing of it is verified. */
export const readAssertionKey = (assertion: string): string | undefined => {
  try {
    return decodeProtectedHeader(assertion).kid
  } catch {
    return undefined
  }
}

/**
 * Whether an assertion proves that a client sent it (RFC 7523 3): signed by one of its keys, for this service, of the last
 * minutes, and for the first time. Takes one table call if everything else is right.
 */
export const isClientAssertion = async (
  services: Pick<Services, 'table' | 'config' | 'now'>,
  client: ClientRecord,
  assertion: string,
): Promise<boolean> => {
  const payload = await verifySignature(services, client, assertion)
  if (!payload) return false
  const { aud, jti, exp = 0 } = payload
  // As one text: another server in a list could pass the assertion on.
  if (aud !== services.config.publicUrl) return false
  const nowSeconds = services.now() / 1000
  // An assertion that lasts would be worth as much as a secret to whom it leaks.
  if (exp > nowSeconds + oauthAssertionMs / 1000 || typeof jti !== 'string' || jti === '') return false
  return noteProof(services.table, 'assertion', { clientId: client.clientId, jti }, exp * 1000)
}

const verifySignature = async (
  { now }: Pick<Services, 'now'>,
  { clientId, public_keys: publicKeys = [] }: ClientRecord,
  assertion: string,
): Promise<JWTPayload | undefined> => {
  for (const key of publicKeys) {
    const verified = await verifyWith(key, assertion, { clientId, nowMs: now() })
    if (verified) return verified
  }
  return undefined
}

interface Expected {
  readonly clientId: string
  readonly nowMs: number
}

const verifyWith = async (
  key: PublicClientKey,
  assertion: string,
  { clientId, nowMs }: Expected,
): Promise<JWTPayload | undefined> => {
  try {
    const { payload, protectedHeader } = await jwtVerify(
      assertion,
      ({ kid, alg }) => {
        if (kid !== undefined && key.kid !== undefined && kid !== key.kid) throw new TypeError('another key')
        return importJWK({ ...key }, alg)
      },
      {
        algorithms: clientAssertionAlgorithms.filter((name) => key.alg === undefined || name === key.alg),
        issuer: clientId,
        subject: clientId,
        requiredClaims: ['exp', 'jti'],
        // Clocks of servers differ.
        clockTolerance: 5,
        currentDate: new Date(nowMs),
      },
    )
    // A token of another kind that the client signs is no proof for this.
    const { typ = 'JWT' } = protectedHeader
    return ['jwt', 'client-authentication+jwt'].includes(typ.toLowerCase()) ? payload : undefined
  } catch {
    return undefined
  }
}

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
/** With a smaller exponent, such as 1, anyone could sign. */
const smallestExponent = 65_537n

/** The rule that a public key breaks, or undefined if it is valid. */
export const findClientKeyError = (jwk: PublicClientKey): string | undefined => {
  const algorithms = algorithmsOf.get(jwk.kty)
  if (!algorithms) return 'must be an RSA, EC or OKP key'
  if (jwk.alg !== undefined && !algorithms.includes(jwk.alg))
    return `must have the alg ${algorithms.join(' or ')}`
  if (jwk.use !== undefined && jwk.use !== 'sig') return 'must be a key for signatures'
  if (jwk.kty !== 'RSA' && jwk.crv !== curveOf.get(jwk.kty))
    return `must have the curve ${curveOf.get(jwk.kty)}`
  const details = readDetails(jwk)
  if (!details) return 'must be a public key in the form of RFC 7517'
  if (jwk.kty !== 'RSA') return undefined
  const { modulusLength: bits = 0, publicExponent: exponent = 0n } = details
  if (bits < fewestBits || bits > mostBits) return `must have ${fewestBits} to ${mostBits} bits`
  return exponent < smallestExponent || exponent % 2n === 0n
    ? 'must have an odd exponent of at least 65,537'
    : undefined
}

/** Undefined if it is no key. */
const readDetails = (jwk: PublicClientKey): AsymmetricKeyDetails | undefined => {
  try {
    return createPublicKey({ key: { ...jwk }, format: 'jwk' }).asymmetricKeyDetails ?? {}
  } catch {
    return undefined
  }
}
