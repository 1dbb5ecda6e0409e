import { type CipherGCMTypes, createDecipheriv, type KeyObject } from 'node:crypto'
import { samlEncryptedKeys } from '../../core/limits.ts'
import { type InContext, readInContext } from '../xml/context.ts'
import { decodeXml } from '../xml/decode.ts'
import { getChildren, namespaces, type XmlElement } from '../xml/element.ts'
import { decodeOaep } from './oaep.ts'

const { encryption, signature } = namespaces

/** Encrypted XML that isn't decrypted; `part` says what about it. */
export class DecryptionRefused extends Error {
  readonly part: 'form' | 'key-algorithm' | 'data-algorithm' | 'key' | 'data'

  constructor(part: DecryptionRefused['part']) {
    super(`the encrypted ${part} is not taken`)
    this.name = 'DecryptionRefused'
    this.part = part
  }
}

/**
 * Decrypts an element of SAML Core 2.3.4 or 2.2.4, by XML Encryption 1.1: AES in GCM or CBC (5.2), its key by RSA-OAEP
 * (5.5.2). RSA-1.5 is left out, as whoever may ask often enough learns the key by it (5.5.1).
 *
 * @throws DecryptionRefused
 */
export const decryptElement = (container: XmlElement, keys: readonly KeyObject[]): Buffer => {
  const [data, another] = getChildren(container, encryption, 'EncryptedData')
  if (!data || another) throw new DecryptionRefused('form')
  const cipher = cipherOf(data)
  const wrapped = encryptedKeysOf(container, data)
  if (wrapped.length === 0 || wrapped.length > samlEncryptedKeys) throw new DecryptionRefused('form')
  const content = octetsOf(data)
  const opened = wrapped.map(unwrapperOf).flatMap((unwrap) => keys.flatMap((key) => unwrap(key) ?? []))
  const fitting = opened.find(({ length }) => length === cipher.keyBytes)
  if (!fitting) throw new DecryptionRefused('key')
  return decipher(cipher, fitting, content)
}

/**
 * Reads what an element holds encrypted, in its place (XML Encryption 4.4): where that declares prefixes, so it does for
 * what was encrypted.
 *
 * @throws DecryptionRefused
 * @throws XmlRefused
 */
export const readDecrypted = (container: XmlElement, keys: readonly KeyObject[]): InContext =>
  readInContext(decodeXml(decryptElement(container, keys)), container.scope)

/** They stand in the data itself, or beside it, for several recipients (SAML Core 6.1). */
const encryptedKeysOf = (container: XmlElement, data: XmlElement): readonly XmlElement[] => [
  ...getChildren(data, signature, 'KeyInfo').flatMap((info) => getChildren(info, encryption, 'EncryptedKey')),
  ...getChildren(container, encryption, 'EncryptedKey'),
]

interface DataCipher {
  readonly name: `aes-${128 | 192 | 256}-${'cbc' | 'gcm'}`
  readonly keyBytes: number
  readonly isGcm: boolean
}

const cipherOf = (data: XmlElement): DataCipher => {
  const [, version, bits = '', mode] =
    /^http:\/\/www\.w3\.org\/(2001\/04\/xmlenc|2009\/xmlenc11)#aes(128|192|256)-(cbc|gcm)$/.exec(
      methodOf(data)?.attributes.get('Algorithm') ?? '',
    ) ?? []
  const isGcm = mode === 'gcm'
  if (version !== (isGcm ? '2009/xmlenc11' : '2001/04/xmlenc')) throw new DecryptionRefused('data-algorithm')
  const name = `aes-${bits}-${mode}` as DataCipher['name']
  return { name, keyBytes: Number(bits) / 8, isGcm }
}

const methodOf = (element: XmlElement): XmlElement | undefined =>
  getChildren(element, encryption, 'EncryptionMethod')[0]

const octetsOf = (element: XmlElement): Buffer => {
  const [value, another] = getChildren(element, encryption, 'CipherData').flatMap((data) =>
    getChildren(data, encryption, 'CipherValue'),
  )
  const text = value?.text.replaceAll(/\s+/g, '') ?? ''
  if (another || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw new DecryptionRefused('form')
  return Buffer.from(text, 'base64')
}

const xmlenc11 = 'http://www.w3.org/2009/xmlenc11#'

/** What takes the key out of its wrapping, with the right one of ours. */
const unwrapperOf = (encryptedKey: XmlElement): ((key: KeyObject) => Buffer | undefined) => {
  const method = methodOf(encryptedKey)
  const algorithm = method?.attributes.get('Algorithm') ?? ''
  if (algorithm !== `${encryption}rsa-oaep-mgf1p` && algorithm !== `${xmlenc11}rsa-oaep`)
    throw new DecryptionRefused('key-algorithm')
  const named = (namespace: string, name: string, form: RegExp) =>
    hashOf(method && getChildren(method, namespace, name)[0], form)
  // Where nothing is named it is SHA-1 (XML Encryption 5.5.2): in this place that is still safe.
  const hash = named(signature, 'DigestMethod', /#(sha1|sha256|sha384|sha512)$/) ?? 'sha1'
  const mask = named(xmlenc11, 'MGF', /#mgf1(sha1|sha256|sha384|sha512)$/)
  const specified = algorithm === `${xmlenc11}rsa-oaep` ? (mask ?? 'sha1') : 'sha1'
  // Libraries that have one hash for both long took it for the mask as well, and said nothing of it.
  const maskHashes = new Set([specified, mask ?? hash])
  const label = method && getChildren(method, encryption, 'OAEPparams')[0]?.text.trim()
  const parameters = { hash, label: Buffer.from(label ?? '', 'base64') }
  const content = octetsOf(encryptedKey)
  return (key) =>
    [...maskHashes]
      .map((maskHash) => decodeOaep(key, content, { ...parameters, maskHash }))
      .find((opened) => opened !== undefined)
}

/** The hash that an algorithm's name ends with; undefined where none is named. */
const hashOf = (named: XmlElement | undefined, form: RegExp): string | undefined => {
  if (!named) return undefined
  const [, hash] = form.exec(named.attributes.get('Algorithm') ?? '') ?? []
  if (hash === undefined) throw new DecryptionRefused('key-algorithm')
  return hash
}

const tagBytes = 16

const decipher = ({ name, isGcm }: DataCipher, key: Buffer, content: Buffer): Buffer => {
  const ivBytes = isGcm ? 12 : 16
  const tagAt = isGcm ? content.length - tagBytes : content.length
  if (tagAt < ivBytes) throw new DecryptionRefused('data')
  try {
    const iv = content.subarray(0, ivBytes)
    const opened = isGcm
      ? createDecipheriv(name as CipherGCMTypes, key, iv, { authTagLength: tagBytes }).setAuthTag(
          content.subarray(tagAt),
        )
      : // Only the last byte of this padding says anything (5.2.1); the rest of it may be whatever it is.
        createDecipheriv(name, key, iv).setAutoPadding(false)
    const plain = Buffer.concat([opened.update(content.subarray(ivBytes, tagAt)), opened.final()])
    return isGcm ? plain : unpadded(plain)
  } catch (error) {
    throw error instanceof DecryptionRefused ? error : new DecryptionRefused('data')
  }
}

const unpadded = (plain: Buffer): Buffer => {
  const padding = plain.at(-1) ?? 0
  if (padding < 1 || padding > 16) throw new DecryptionRefused('data')
  return plain.subarray(0, plain.length - padding)
}
