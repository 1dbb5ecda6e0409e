import { constants, createVerify, type SigningOptions } from 'node:crypto'
import type { SignedXml } from 'xml-crypto'

/** How a signature method verifies. */
interface Method {
  readonly hash: 'sha256' | 'sha384' | 'sha512'
  /** What goes with the key. */
  readonly key?: SigningOptions
}

const more = 'http://www.w3.org/2001/04/xmldsig-more#'
const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
// XML has the two numbers one after the other (XML Signature 6.4.3), certificates and TLS have them as ASN.1.
const elliptic = { dsaEncoding: 'ieee-p1363' } as const

/** No SHA-1, no MD5, and no HMAC, which would take a public key for a shared one. */
const methods: Readonly<Record<string, Method>> = {
  [`${more}rsa-sha256`]: { hash: 'sha256' },
  [`${more}rsa-sha384`]: { hash: 'sha384' },
  [`${more}rsa-sha512`]: { hash: 'sha512' },
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1': { hash: 'sha256', key: pss },
  [`${more}ecdsa-sha256`]: { hash: 'sha256', key: elliptic },
  [`${more}ecdsa-sha384`]: { hash: 'sha384', key: elliptic },
  [`${more}ecdsa-sha512`]: { hash: 'sha512', key: elliptic },
}
const digests = ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512']

/**
 * Leaves the library none but sound algorithms, and has it believe a signature by any of these certificates: trying one
 * after the other from outside would have it read the whole document each time.
 */
export const trustCertificates = (signed: SignedXml, pems: readonly string[]): void => {
  signed.SignatureAlgorithms = Object.fromEntries(
    Object.entries(methods).map(([name, method]) => [name, verifierOf(name, method, pems)]),
  )
  signed.HashAlgorithms = Object.fromEntries(
    Object.entries(signed.HashAlgorithms).filter(([name]) => digests.includes(name)),
  )
  // The library asks for one; which it is, is settled above.
  signed.publicCert = pems[0] ?? ''
}

type Verifier = SignedXml['SignatureAlgorithms'][string]

const verifierOf = (name: string, { hash, key = {} }: Method, pems: readonly string[]): Verifier =>
  class {
    getAlgorithmName = () => name
    verifySignature = (material: string, _key: unknown, value: string): boolean =>
      pems.some((pem) =>
        verifies(() =>
          createVerify(hash)
            .update(material)
            .verify({ key: pem, ...key }, value, 'base64'),
        ),
      )
    getSignature = (): never => {
      throw new Error('signatures are verified here and not made')
    }
  } as unknown as Verifier

/** A certificate whose key is of another kind than the method verifies nothing. */
const verifies = (verify: () => boolean): boolean => {
  try {
    return verify()
  } catch {
    return false
  }
}
