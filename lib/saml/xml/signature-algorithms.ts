import { createVerify } from 'node:crypto'
import type { SignedXml } from 'xml-crypto'

/** What verifies one signature method, as the library takes it. */
type Verifier = SignedXml['SignatureAlgorithms'][string]

const ecdsa = (name: string, hash: string): Verifier =>
  class {
    getAlgorithmName = () => name
    // XML has the two numbers one after the other (XML Signature 6.4.3), certificates and TLS have them as ASN.1.
    verifySignature = (material: string, key: string, value: string): boolean =>
      createVerify(hash).update(material).verify({ key, dsaEncoding: 'ieee-p1363' }, value, 'base64')
    getSignature = (): never => {
      throw new Error('signatures are verified here and not made')
    }
  } as unknown as Verifier

const more = 'http://www.w3.org/2001/04/xmldsig-more#'
const rsa = [
  `${more}rsa-sha256`,
  `${more}rsa-sha512`,
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
]
const hashes = ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512']

/**
 * Leaves the library none but sound algorithms: no SHA-1, no MD5, and no HMAC, which would take a public key for a
 * shared one.
 */
export const allowSoundAlgorithms = (signed: SignedXml): void => {
  signed.SignatureAlgorithms = {
    ...only(signed.SignatureAlgorithms, rsa),
    [`${more}ecdsa-sha256`]: ecdsa(`${more}ecdsa-sha256`, 'sha256'),
    [`${more}ecdsa-sha384`]: ecdsa(`${more}ecdsa-sha384`, 'sha384'),
    [`${more}ecdsa-sha512`]: ecdsa(`${more}ecdsa-sha512`, 'sha512'),
  }
  signed.HashAlgorithms = only(signed.HashAlgorithms, hashes)
}

const only = <Value>(all: Record<string, Value>, names: readonly string[]): Record<string, Value> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))
