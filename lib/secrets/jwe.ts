import { CompactEncrypt, compactDecrypt } from 'jose'
import type { EncryptionContext } from './vault.ts'

const algorithms = { alg: 'dir', enc: 'A256GCM' } as const

/** Encrypts a text by a key of 256 bits, as compact JWE (RFC 7516) whose protected header bears the context. */
export const encryptText = (key: Uint8Array, text: string, context: EncryptionContext): Promise<string> =>
  new CompactEncrypt(Buffer.from(text))
    .setProtectedHeader({ ...algorithms, context: nameOf(context) })
    .encrypt(key)

/** @throws Error when the text was tampered with, or encrypted by another key or for another context. */
export const decryptText = async (
  key: Uint8Array,
  jwe: string,
  context: EncryptionContext,
): Promise<string> => {
  if (!isSpeltOneWay(jwe)) throw new Error('What is to be decrypted is not spelt as it was made.')
  const { plaintext, protectedHeader } = await compactDecrypt(jwe, key, {
    keyManagementAlgorithms: [algorithms.alg],
    contentEncryptionAlgorithms: [algorithms.enc],
  })
  if (protectedHeader['context'] !== nameOf(context))
    throw new Error('What is to be decrypted was encrypted for another context.')
  return Buffer.from(plaintext).toString('utf8')
}

/** One spelling of a context, whatever the order of its names. */
const nameOf = (context: EncryptionContext): string =>
  JSON.stringify(Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Base64url has bits to spare in its last letter, which would let one cipher text be spelt several ways. */
const isSpeltOneWay = (jwe: string): boolean =>
  jwe.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
