import { CompactEncrypt, compactDecrypt } from 'jose'
import type { EncryptionContext, Vault } from './encryption.ts'
import { readOrMakeKey } from './key-file.ts'

/** Tells what a stored text was encrypted by. */
const mark = 'local.'
const algorithms = { alg: 'dir', enc: 'A256GCM' } as const

/**
 * Encrypts by AES-256-GCM with the key in a file, as compact JWE (RFC 7516) whose protected header bears the context.
 *
 * @throws Error when the file is unusable.
 */
export const openLocalVault = async (keyFile: string): Promise<Vault> => {
  const key = await readOrMakeKey(keyFile)
  return {
    encrypt: async (text, context) => {
      const jwe = new CompactEncrypt(Buffer.from(text))
      return mark + (await jwe.setProtectedHeader({ ...algorithms, context: nameOf(context) }).encrypt(key))
    },

    decrypt: async (cipher, context) => {
      const jwe = cipher.slice(mark.length)
      if (!cipher.startsWith(mark) || !isSpeltOneWay(jwe))
        throw new Error('What is to be decrypted was not encrypted by the key file.')
      const { plaintext, protectedHeader } = await compactDecrypt(jwe, key, {
        keyManagementAlgorithms: [algorithms.alg],
        contentEncryptionAlgorithms: [algorithms.enc],
      })
      if (protectedHeader['context'] !== nameOf(context))
        throw new Error('What is to be decrypted was encrypted for another context.')
      return Buffer.from(plaintext).toString('utf8')
    },
  }
}

/** One spelling of a context, whatever the order of its names. */
const nameOf = (context: EncryptionContext): string =>
  JSON.stringify(Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Base64url has bits to spare in its last letter, which would let one cipher text be spelt several ways. */
const isSpeltOneWay = (jwe: string): boolean =>
  jwe.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
