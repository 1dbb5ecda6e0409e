import { X509Certificate } from 'node:crypto'
import { promisify } from 'node:util'
import { encrypt } from 'xml-encryption'
import {
  type ContentEncryption,
  contentEncryptions,
  type KeyEncryption,
  keyEncryptions,
  ns,
} from './names.ts'

/** The recipient and the algorithms of an encrypted assertion. */
export interface EncryptionFacts {
  /** PEM of the service's certificate. */
  readonly certificate: string
  readonly content?: ContentEncryption
  readonly key?: KeyEncryption
  readonly digest?: 'sha1' | 'sha256' | 'sha512'
}

/** Encrypts an assertion as an EncryptedAssertion (SAML Core 2.3.4). */
export const encryptAssertion = (xml: string, facts: EncryptionFacts): Promise<string> =>
  encryptElement('EncryptedAssertion', xml, facts)

/** Encrypts an element, or any text, as an element of this name. */
export const encryptElement = async (
  name: 'EncryptedAssertion' | 'EncryptedID',
  xml: string,
  facts: EncryptionFacts,
): Promise<string> => {
  const publicKey = new X509Certificate(facts.certificate).publicKey.export({ type: 'spki', format: 'pem' })
  const options = {
    rsa_pub: publicKey,
    pem: facts.certificate,
    encryptionAlgorithm: contentEncryptions[facts.content ?? 'aes256-gcm'],
    keyEncryptionAlgorithm: keyEncryptions[facts.key ?? 'rsa-oaep'],
    keyEncryptionDigest: facts.digest ?? 'sha1',
    warnInsecureAlgorithm: false,
  }
  const encrypted = await promisify(encrypt)(xml, options)
  return `<saml:${name} xmlns:saml="${ns.assertion}">${encrypted}</saml:${name}>`
}
