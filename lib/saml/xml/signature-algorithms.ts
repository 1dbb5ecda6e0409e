import { constants, createHash, createVerify, type SigningOptions, timingSafeEqual } from 'node:crypto'

/** How a signature method verifies. */
interface Method {
  readonly hash: 'sha256' | 'sha384' | 'sha512'
  /** What goes with the key. */
  readonly key?: SigningOptions
}

const xmlenc = 'http://www.w3.org/2001/04/xmlenc#'
const more = 'http://www.w3.org/2001/04/xmldsig-more#'
const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
// XML has the two numbers one after the other (XML Signature 6.4.3), certificates and TLS have them as ASN.1.
const elliptic = { dsaEncoding: 'ieee-p1363' } as const

/** No SHA-1, no MD5, and no HMAC, which would take a public key for a shared one. */
const methods: ReadonlyMap<string, Method> = new Map([
  [`${more}rsa-sha256`, { hash: 'sha256' }],
  [`${more}rsa-sha384`, { hash: 'sha384' }],
  [`${more}rsa-sha512`, { hash: 'sha512' }],
  ['http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1', { hash: 'sha256', key: pss }],
  [`${more}ecdsa-sha256`, { hash: 'sha256', key: elliptic }],
  [`${more}ecdsa-sha384`, { hash: 'sha384', key: elliptic }],
  [`${more}ecdsa-sha512`, { hash: 'sha512', key: elliptic }],
])

const digests: ReadonlyMap<string, Method['hash']> = new Map([
  [`${xmlenc}sha256`, 'sha256'],
  [`${more}sha384`, 'sha384'],
  [`${xmlenc}sha512`, 'sha512'],
])

export const isKnownSignatureMethod = (name: string): boolean => methods.has(name)
export const isKnownDigestMethod = (name: string): boolean => digests.has(name)

/** Whether octets were signed by the key of one of these certificates; never by a method that isn't known. */
export const isSignedByAny = (
  pems: readonly string[],
  methodName: string,
  octets: string,
  signature: Buffer,
): boolean => {
  const method = methods.get(methodName)
  return method !== undefined && pems.some((pem) => isSignedBy(pem, method, octets, signature))
}

const isSignedBy = (pem: string, { hash, key }: Method, octets: string, signature: Buffer): boolean => {
  try {
    return createVerify(hash)
      .update(octets)
      .verify({ key: pem, ...key }, signature)
  } catch {
    // A certificate whose key is of another kind than the method verifies nothing.
    return false
  }
}

/** Whether octets have this digest; never by a method that isn't known. */
export const matchesDigest = (methodName: string, octets: string, digest: Buffer): boolean => {
  const hash = digests.get(methodName)
  if (hash === undefined) return false
  const actual = createHash(hash).update(octets).digest()
  return actual.length === digest.length && timingSafeEqual(actual, digest)
}
