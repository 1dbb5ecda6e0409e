import { verify } from 'node:crypto'
import type { Certificate } from '../certificates.ts'
import { type RedirectAlgorithm, redirectAlgorithms } from './algorithms.ts'
import { decodeBase64 } from './base64.ts'
import type { SignedQuery } from './query.ts'
import { RedirectError } from './redirect-error.ts'

/**
 * Verifies the signature of a query with the certificates of its sender (SAML Bindings 3.4.4.1). Any of them may match,
 * so that the sender can rotate its keys.
 *
 * @throws RedirectError if none matches, or the algorithm is not allowed.
 */
export const requireSignature = (query: SignedQuery, certificates: readonly Certificate[]): void => {
  const algorithm = redirectAlgorithms.get(query.algorithm)
  if (!algorithm)
    throw new RedirectError('SigAlg', 'must be rsa-sha256, -sha384 or -sha512, or ecdsa with one of these')
  const signature = decodeBase64(query.signature)
  if (!signature || !certificates.some((one) => isSignedBy(one, algorithm, query.signedOctets, signature)))
    throw new RedirectError('Signature', 'does not match any certificate of the identity provider')
}

const isSignedBy = (
  { x509: { publicKey } }: Certificate,
  { keyType, hash }: RedirectAlgorithm,
  octets: string,
  signature: Buffer,
): boolean => {
  if (publicKey.asymmetricKeyType !== keyType) return false
  // ECDSA signatures have two encodings. SAML does not define which one queries use, and products send both.
  const encodings = keyType === 'rsa' ? (['der'] as const) : (['ieee-p1363', 'der'] as const)
  return encodings.some((dsaEncoding) =>
    verify(hash, Buffer.from(octets), { key: publicKey, dsaEncoding }, signature),
  )
}
