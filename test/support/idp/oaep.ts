import {
  constants,
  createCipheriv,
  createHash,
  publicEncrypt,
  randomBytes,
  X509Certificate,
} from 'node:crypto'
import { digestMethods, ns } from './names.ts'
import { attributes } from './xml.ts'

type Hash = 'sha1' | 'sha256' | 'sha384' | 'sha512'

/** How a key is encrypted with RSA-OAEP, and how the message describes it. In some products the two differ. */
export interface OaepFacts {
  /** PEM of the service's certificate. */
  readonly certificate: string
  readonly hash: Hash
  /** The hash of the mask. Default: the hash of the label. */
  readonly mask?: Hash
  readonly label?: string
  /** The older name means a mask with SHA-1. The newer name allows any mask. */
  readonly algorithm?: 'rsa-oaep-mgf1p' | 'rsa-oaep'
  /** The declared hashes. Default: the real ones. A null value omits the declaration. */
  readonly saidHash?: Hash | null
  readonly saidMask?: Hash | null
  readonly bits?: 128 | 192 | 256
  /** Corrupts the block before it is encrypted. */
  readonly spoil?: (block: OaepBlock) => void
}

/** The content that is masked, and the byte before it (RFC 8017 7.1.1, step 2i). */
export interface OaepBlock {
  readonly front: Buffer
  readonly labelHash: Buffer
  /** Zeros up to the byte that separates them from the message. */
  readonly zeros: Buffer
  readonly separator: Buffer
  readonly message: Buffer
}

/** Encrypts a key (RFC 8017 7.1.1). Anyone can do this, because the certificate is public. */
export const encryptKey = (message: Buffer, facts: OaepFacts): Buffer => {
  const key = new X509Certificate(facts.certificate).publicKey
  const size = Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 0) / 8)
  const { hash, mask = hash } = facts
  const labelHash = createHash(hash)
    .update(facts.label ?? '')
    .digest()
  const block: OaepBlock = {
    front: Buffer.of(0),
    labelHash,
    zeros: Buffer.alloc(size - message.length - 2 * labelHash.length - 2),
    separator: Buffer.of(1),
    message: Buffer.from(message),
  }
  facts.spoil?.(block)
  const data = Buffer.concat([block.labelHash, block.zeros, block.separator, block.message])
  const seed = randomBytes(labelHash.length)
  const maskedData = combined(data, generated(seed, data.length, mask))
  const maskedSeed = combined(seed, generated(maskedData, seed.length, mask))
  return publicEncrypt(
    { key, padding: constants.RSA_NO_PADDING },
    Buffer.concat([block.front, maskedSeed, maskedData]),
  )
}

const combined = (one: Buffer, other: Buffer): Buffer =>
  Buffer.from(Array.from(one, (byte, at) => byte ^ (other[at] ?? 0)))

/** The mask generation function of RFC 8017 B.2.1. */
const generated = (seed: Buffer, length: number, hash: Hash): Buffer => {
  const parts = Array.from({ length: Math.ceil(length / 20) }, (_, count) =>
    createHash(hash)
      .update(Buffer.concat([seed, Buffer.of(0, 0, 0, count)]))
      .digest(),
  )
  return Buffer.concat(parts).subarray(0, length)
}

/** Encrypts an element with AES-GCM. Its key is next to the data (XML Encryption 1.1). */
export const encryptByOaep = (
  name: 'EncryptedAssertion' | 'EncryptedID',
  xml: string,
  facts: OaepFacts,
): string => {
  const { hash, mask = hash, algorithm = 'rsa-oaep', bits = 256 } = facts
  const saidHash = facts.saidHash === undefined ? hash : facts.saidHash
  const saidMask = facts.saidMask === undefined ? (algorithm === 'rsa-oaep' ? mask : null) : facts.saidMask
  const xmlenc = 'http://www.w3.org/2001/04/xmlenc#'
  const xmlenc11 = 'http://www.w3.org/2009/xmlenc11#'
  const key = randomBytes(bits / 8)
  const iv = randomBytes(12)
  const cipher = createCipheriv(`aes-${bits}-gcm`, key, iv)
  const content = Buffer.concat([iv, cipher.update(xml), cipher.final(), cipher.getAuthTag()])
  const wrapped = encryptKey(key, facts)
  const value = (bytes: Buffer) =>
    `<xenc:CipherData><xenc:CipherValue>${bytes.toString('base64')}</xenc:CipherValue></xenc:CipherData>`
  const method = attributes({ Algorithm: `${algorithm === 'rsa-oaep' ? xmlenc11 : xmlenc}${algorithm}` })
  return [
    `<saml:${name}${attributes({ 'xmlns:saml': ns.assertion, 'xmlns:xenc': xmlenc, 'xmlns:ds': ns.signature })}>`,
    `<xenc:EncryptedData Type="${xmlenc}Element"><xenc:EncryptionMethod Algorithm="${xmlenc11}aes${bits}-gcm"/>`,
    `<ds:KeyInfo><ds:RetrievalMethod URI="#key"/></ds:KeyInfo>${value(content)}</xenc:EncryptedData>`,
    `<xenc:EncryptedKey Id="key"><xenc:EncryptionMethod${method}>`,
    saidHash === null ? '' : `<ds:DigestMethod${attributes({ Algorithm: digestMethods[saidHash] })}/>`,
    saidMask === null
      ? ''
      : `<xenc11:MGF${attributes({ 'xmlns:xenc11': xmlenc11, Algorithm: `${xmlenc11}mgf1${saidMask}` })}/>`,
    facts.label === undefined
      ? ''
      : `<xenc:OAEPparams>${Buffer.from(facts.label).toString('base64')}</xenc:OAEPparams>`,
    `</xenc:EncryptionMethod>${value(wrapped)}</xenc:EncryptedKey></saml:${name}>`,
  ].join('')
}
