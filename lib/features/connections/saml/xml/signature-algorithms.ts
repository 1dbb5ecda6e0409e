import {
  constants,
  createHash,
  createPublicKey,
  createVerify,
  type KeyObject,
  type SigningOptions,
  timingSafeEqual,
} from 'node:crypto'

/** A public key, or the PEM of a certificate, which takes longer because it is parsed for each signature. */
export type VerificationKey = KeyObject | string

/** The parameters of a signature method. */
interface Method {
  readonly hash: 'sha256' | 'sha384' | 'sha512'
  /** Options of Node.js that depend on the kind of key. */
  readonly keyOptions?: SigningOptions
}

const xmlenc = 'http://www.w3.org/2001/04/xmlenc#'
const more = 'http://www.w3.org/2001/04/xmldsig-more#'
const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
// XML Signature 6.4.3 concatenates the two numbers. Certificates and TLS encode them as ASN.1.
const elliptic = { dsaEncoding: 'ieee-p1363' } as const

/** SHA-1 and MD5 are unsafe, and with HMAC a public certificate would be the shared key. */
const methods: ReadonlyMap<string, Method> = new Map([
  [`${more}rsa-sha256`, { hash: 'sha256' }],
  [`${more}rsa-sha384`, { hash: 'sha384' }],
  [`${more}rsa-sha512`, { hash: 'sha512' }],
  ['http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1', { hash: 'sha256', keyOptions: pss }],
  [`${more}ecdsa-sha256`, { hash: 'sha256', keyOptions: elliptic }],
  [`${more}ecdsa-sha384`, { hash: 'sha384', keyOptions: elliptic }],
  [`${more}ecdsa-sha512`, { hash: 'sha512', keyOptions: elliptic }],
])

const digests: ReadonlyMap<string, Method['hash']> = new Map([
  [`${xmlenc}sha256`, 'sha256'],
  [`${more}sha384`, 'sha384'],
  [`${xmlenc}sha512`, 'sha512'],
])

export const isKnownSignatureMethod = (name: string): boolean => methods.has(name)
export const isKnownDigestMethod = (name: string): boolean => digests.has(name)

/** Whether one of the keys verifies the signature. Always false for an unknown method. */
export const isSignedByAny = (
  keys: readonly VerificationKey[],
  methodName: string,
  octets: string,
  signature: Buffer,
): boolean => {
  const method = methods.get(methodName)
  return method !== undefined && keys.some((key) => isSignedBy(key, method, octets, signature))
}

const isSignedBy = (
  key: VerificationKey,
  { hash, keyOptions }: Method,
  octets: string,
  signature: Buffer,
): boolean => {
  try {
    return createVerify(hash)
      .update(octets)
      .verify({ key: typeof key === 'string' ? createPublicKey(key) : key, ...keyOptions }, signature)
  } catch {
    // The key of the certificate is of another kind than the method needs.
    return false
  }
}

/** Whether octets have this digest. Always false for an unknown method. */
export const matchesDigest = (methodName: string, octets: string, digest: Buffer): boolean => {
  const hash = digests.get(methodName)
  if (hash === undefined) return false
  const actual = createHash(hash).update(octets).digest()
  return actual.length === digest.length && timingSafeEqual(actual, digest)
}
