import * as base64url from 'jose/base64url'
import * as errors from 'jose/errors'
import { EmbeddedJWK } from 'jose/jwk/embedded'
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint'
import { jwtVerify } from 'jose/jwt/verify'

/** What a request has to prove (RFC 9449 4.3). */
export interface ExpectedProof {
  readonly method: string
  /** The address without query and fragment. */
  readonly url: string
  /** The access token that the request has. */
  readonly token: string
  /** The thumbprint of the key that the token is bound to. */
  readonly thumbprint: string
}

/** The algorithms of proofs. */
export const proofAlgorithms: readonly string[] = ['ES256', 'Ed25519', 'EdDSA']
/** How far the time of a proof may be from that of the server. */
export const proofWindowSeconds = 300
const maxCharacters = 4096
const maxIdentifierCharacters = 256

/**
 * Verifies that the sender of a request has the key of its access token (RFC 9449 4.3 and 7.1). Returns the identifier of the
 * proof, which counts once, or undefined. Whether it was used before is up to the caller.
 */
export const verifyDpopProof = async (
  proof: string,
  expected: ExpectedProof,
  nowMs: number,
): Promise<string | undefined> => {
  if (proof.length > maxCharacters) return undefined
  try {
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
      algorithms: [...proofAlgorithms],
      typ: 'dpop+jwt',
      requiredClaims: ['jti', 'iat', 'htm', 'htu', 'ath'],
      currentDate: new Date(nowMs),
    })
    const { jti = '', iat = 0, htm, htu, ath } = payload
    const isRight =
      Math.abs(nowMs / 1000 - iat) <= proofWindowSeconds &&
      htm === expected.method &&
      typeof htu === 'string' &&
      isSameAddress(htu, expected.url) &&
      ath === (await hash(expected.token)) &&
      (await calculateJwkThumbprint(protectedHeader.jwk ?? {})) === expected.thumbprint
    return isRight && jti !== '' && jti.length <= maxIdentifierCharacters ? jti : undefined
  } catch (error) {
    // An embedded key of the wrong form is a `TypeError` or a `DOMException`.
    if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException)
      return undefined
    throw error
  }
}

/** Query and fragment do not count (RFC 9449 4.3). */
const isSameAddress = (given: string, expected: string): boolean => {
  const [one, other] = [URL.parse(given), URL.parse(expected)]
  return one !== null && other !== null && one.origin === other.origin && one.pathname === other.pathname
}

const hash = async (token: string): Promise<string> =>
  base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))))
