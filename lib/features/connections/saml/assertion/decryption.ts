import {
  type CipherGCMTypes,
  constants,
  createDecipheriv,
  createHash,
  type KeyObject,
  privateDecrypt,
} from 'node:crypto'
import { samlEncryptedKeys } from '../../../../kernel/limits/saml-limits.ts'
import { type InContext, readInContext } from '../xml/context.ts'
import { decodeXml } from '../xml/decode.ts'
import { getChildren, namespaces, type XmlElement } from '../xml/element.ts'

const { encryption, signature } = namespaces

/** Encrypted XML that cannot be decrypted. `part` names the part that is wrong. */
export class DecryptionError extends Error {
  readonly part: 'form' | 'key-algorithm' | 'data-algorithm' | 'key' | 'data'
  /** The algorithm that is not supported, as the provider names it. Empty if it names none. */
  readonly algorithm: string | undefined

  constructor(part: DecryptionError['part'], algorithm?: string) {
    super(`the encrypted element cannot be decrypted: wrong ${part}`)
    this.name = 'DecryptionError'
    this.part = part
    this.algorithm = algorithm
  }
}

/**
 * Decrypts an element of SAML Core 2.3.4 or 2.2.4 with XML Encryption 1.1: AES in GCM or CBC mode (5.2), and RSA-OAEP
 * for its key (5.5.2). RSA-1.5 is not supported, because an attacker with many attempts can recover the key (5.5.1).
 *
 * @throws DecryptionError
 */
export const decryptElement = (container: XmlElement, keys: readonly KeyObject[]): Buffer => {
  const [data, another] = getChildren(container, encryption, 'EncryptedData')
  if (!data || another) throw new DecryptionError('form')
  const cipher = readCipher(data)
  const encryptedKeys = findEncryptedKeys(container, data)
  if (encryptedKeys.length === 0 || encryptedKeys.length > samlEncryptedKeys)
    throw new DecryptionError('form')
  const content = readCipherValue(data)
  const dataKeys = encryptedKeys
    .map(createKeyDecryptor)
    .flatMap((decryptKey) => keys.flatMap((key) => decryptKey(key) ?? []))
  const dataKey = dataKeys.find(({ length }) => length === cipher.keyBytes)
  if (!dataKey) throw new DecryptionError('key')
  return decryptData(cipher, dataKey, content)
}

/**
 * Decrypts an element and reads it as a child of its container (XML Encryption 4.4), with the namespace prefixes that
 * are declared there.
 *
 * @throws DecryptionError
 * @throws XmlError
 */
export const readDecrypted = (container: XmlElement, keys: readonly KeyObject[]): InContext =>
  readInContext(decodeXml(decryptElement(container, keys)), container.scope)

/** Keys are inside the encrypted data or next to it, one for each recipient (SAML Core 6.1). */
const findEncryptedKeys = (container: XmlElement, data: XmlElement): readonly XmlElement[] => [
  ...getChildren(data, signature, 'KeyInfo').flatMap((info) => getChildren(info, encryption, 'EncryptedKey')),
  ...getChildren(container, encryption, 'EncryptedKey'),
]

interface DataCipher {
  readonly name: `aes-${128 | 192 | 256}-${'cbc' | 'gcm'}`
  readonly keyBytes: number
  readonly isGcm: boolean
}

const readCipher = (data: XmlElement): DataCipher => {
  const algorithm = findEncryptionMethod(data)?.attributes.get('Algorithm') ?? ''
  const [, version, bits = '', mode] =
    /^http:\/\/www\.w3\.org\/(2001\/04\/xmlenc|2009\/xmlenc11)#aes(128|192|256)-(cbc|gcm)$/.exec(algorithm) ??
    []
  const isGcm = mode === 'gcm'
  if (version !== (isGcm ? '2009/xmlenc11' : '2001/04/xmlenc'))
    throw new DecryptionError('data-algorithm', algorithm)
  const name = `aes-${bits}-${mode}` as DataCipher['name']
  return { name, keyBytes: Number(bits) / 8, isGcm }
}

const findEncryptionMethod = (element: XmlElement): XmlElement | undefined =>
  getChildren(element, encryption, 'EncryptionMethod')[0]

const readCipherValue = (element: XmlElement): Buffer => {
  const [value, another] = getChildren(element, encryption, 'CipherData').flatMap((data) =>
    getChildren(data, encryption, 'CipherValue'),
  )
  const text = value?.text.replaceAll(/\s+/g, '') ?? ''
  if (another || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw new DecryptionError('form')
  return Buffer.from(text, 'base64')
}

const xmlenc11 = 'http://www.w3.org/2009/xmlenc11#'

/** Returns a function that decrypts the key, or returns undefined if a private key does not match. */
const createKeyDecryptor = (encryptedKey: XmlElement): ((key: KeyObject) => Buffer | undefined) => {
  const method = findEncryptionMethod(encryptedKey)
  const algorithm = method?.attributes.get('Algorithm') ?? ''
  if (algorithm !== `${encryption}rsa-oaep-mgf1p` && algorithm !== `${xmlenc11}rsa-oaep`)
    throw new DecryptionError('key-algorithm', algorithm)
  const readParameter = (namespace: string, name: string, form: RegExp) =>
    readHashName(method && getChildren(method, namespace, name)[0], form)
  // The default is SHA-1 (XML Encryption 5.5.2), which is still safe for this purpose.
  const hash = readParameter(signature, 'DigestMethod', /#(sha1|sha256|sha384|sha512)$/) ?? 'sha1'
  const declaredMask = readParameter(xmlenc11, 'MGF', /#mgf1(sha1|sha256|sha384|sha512)$/)
  const specifiedMask = algorithm === `${xmlenc11}rsa-oaep` ? (declaredMask ?? 'sha1') : 'sha1'
  // Some libraries use the digest for the mask as well, without declaring it.
  const maskHashes = new Set([specifiedMask, declaredMask ?? hash])
  const label = method && getChildren(method, encryption, 'OAEPparams')[0]?.text.trim()
  const parameters = { hash, label: Buffer.from(label ?? '', 'base64') }
  const content = readCipherValue(encryptedKey)
  return (key) =>
    [...maskHashes]
      .map((maskHash) => decryptOaep(key, content, { ...parameters, maskHash }))
      .find((dataKey) => dataKey !== undefined)
}

/** Returns the hash at the end of an algorithm name. Undefined if there is no algorithm. */
const readHashName = (element: XmlElement | undefined, form: RegExp): string | undefined => {
  if (!element) return undefined
  const algorithm = element.attributes.get('Algorithm') ?? ''
  const [, hash] = form.exec(algorithm) ?? []
  if (hash === undefined) throw new DecryptionError('key-algorithm', algorithm)
  return hash
}

const tagBytes = 16

const decryptData = ({ name, isGcm }: DataCipher, key: Buffer, content: Buffer): Buffer => {
  const ivBytes = isGcm ? 12 : 16
  const contentEnd = isGcm ? content.length - tagBytes : content.length
  if (contentEnd < ivBytes) throw new DecryptionError('data')
  try {
    const iv = content.subarray(0, ivBytes)
    const decipher = isGcm
      ? createDecipheriv(name as CipherGCMTypes, key, iv, { authTagLength: tagBytes }).setAuthTag(
          content.subarray(contentEnd),
        )
      : // Only the last byte of the padding has a meaning (5.2.1). The other bytes are arbitrary.
        createDecipheriv(name, key, iv).setAutoPadding(false)
    const plain = Buffer.concat([decipher.update(content.subarray(ivBytes, contentEnd)), decipher.final()])
    return isGcm ? plain : removePadding(plain)
  } catch (error) {
    throw error instanceof DecryptionError ? error : new DecryptionError('data')
  }
}

const removePadding = (plain: Buffer): Buffer => {
  const padding = plain.at(-1) ?? 0
  if (padding < 1 || padding > 16) throw new DecryptionError('data')
  return plain.subarray(0, plain.length - padding)
}

interface OaepParameters {
  /** The name of the hash of the label. */
  readonly hash: string
  /** The name of the hash of the mask (MGF1). */
  readonly maskHash: string
  readonly label: Buffer
}

/**
 * Decrypts with RSA-OAEP (RFC 8017 7.1.2). Returns undefined for every kind of failure. An attacker who can distinguish
 * a wrong first byte from other failures can decrypt any message in some thousand attempts (Manger).
 */
export const decryptOaep = (
  key: KeyObject,
  content: Buffer,
  { hash, maskHash, label }: OaepParameters,
): Buffer | undefined => {
  try {
    return hash === maskHash
      ? privateDecrypt(
          { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: hash, oaepLabel: label },
          content,
        )
      : decodeOaep(privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, content), {
          hash,
          maskHash,
          label,
        })
  } catch {
    return undefined
  }
}

/**
 * EME-OAEP decoding with two different hashes, which Node.js does not support. All bytes are always read, and all
 * failures leave the function at the same place, so that its duration does not show the cause.
 */
const decodeOaep = (encoded: Buffer, { hash, maskHash, label }: OaepParameters): Buffer | undefined => {
  const labelHash = createHash(hash).update(label).digest()
  const { length } = labelHash
  // This depends only on the size of the key, and not on the encrypted content.
  if (encoded.length < 2 * length + 2) return undefined
  const maskedSeed = encoded.subarray(1, 1 + length)
  const maskedBlock = encoded.subarray(1 + length)
  const seed = xor(maskedSeed, createMask(maskedBlock, length, maskHash))
  const block = xor(maskedBlock, createMask(seed, maskedBlock.length, maskHash))

  let differences = encoded.readUInt8(0)
  for (let at = 0; at < length; at++) differences |= block.readUInt8(at) ^ labelHash.readUInt8(at)
  // Zeros, a one, then the message: `isPadding` is 1 until that one and 0 afterwards.
  let isPadding = 1
  let separatorAt = 0
  for (let at = length; at < block.length; at++) {
    const byte = block.readUInt8(at)
    const isOne = isZero(byte ^ 1)
    separatorAt |= at & -(isPadding & isOne)
    differences |= isPadding & (1 ^ isOne) & (1 ^ isZero(byte))
    isPadding &= 1 ^ isOne
  }
  return (differences | isPadding) === 0 ? block.subarray(separatorAt + 1) : undefined
}

/** Returns 1 for zero and 0 for any other byte, without a branch. */
const isZero = (byte: number): number => ((byte - 1) >>> 8) & 1

const xor = (left: Buffer, right: Buffer): Buffer =>
  Buffer.from(left.map((byte, at) => byte ^ right.readUInt8(at)))

/** MGF1 (RFC 8017 B.2.1). */
const createMask = (seed: Buffer, bytes: number, hash: string): Buffer => {
  const parts: Buffer[] = []
  for (let counter = 0, total = 0; total < bytes; counter++) {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const part = createHash(hash).update(seed).update(count).digest()
    parts.push(part)
    total += part.length
  }
  return Buffer.concat(parts).subarray(0, bytes)
}
