import { verify } from 'node:crypto'
import type { Certificate } from '../certificates.ts'
import { type RedirectAlgorithm, redirectAlgorithms } from './algorithms.ts'
import { decodeBase64 } from './base64.ts'
import { RedirectRefused } from './faults.ts'
import type { SignedQuery } from './query.ts'

/**
 * Holds the signature of a query against the certificates of its sender: any of them will do, so that it can change to
 * another one (SAML Bindings 3.4.4.1).
 *
 * @throws RedirectRefused when none fits, or the algorithm isn't sound.
 */
export const requireSignature = (query: SignedQuery, certificates: readonly Certificate[]): void => {
  const algorithm = Object.hasOwn(redirectAlgorithms, query.algorithm)
    ? redirectAlgorithms[query.algorithm]
    : undefined
  if (!algorithm)
    throw new RedirectRefused('SigAlg', 'must be rsa-sha256, -sha384 or -sha512, or ecdsa with one of these')
  const signature = decodeBase64(query.signature)
  if (!signature || !certificates.some((one) => isBy(one, algorithm, query.signedOctets, signature)))
    throw new RedirectRefused('Signature', 'fits none of the certificates of the identity provider')
}

const isBy = (
  { x509: { publicKey } }: Certificate,
  { keyType, hash }: RedirectAlgorithm,
  octets: string,
  signature: Buffer,
): boolean => {
  if (publicKey.asymmetricKeyType !== keyType) return false
  // Elliptic signatures come in two forms; the specification names neither for a query, and products send both.
  const forms = keyType === 'rsa' ? (['der'] as const) : (['ieee-p1363', 'der'] as const)
  return forms.some((dsaEncoding) =>
    verify(hash, Buffer.from(octets), { key: publicKey, dsaEncoding }, signature),
  )
}
