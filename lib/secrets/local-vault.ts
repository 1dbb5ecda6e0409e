import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { EncryptionContext, Vault } from './encryption.ts'
import { readOrMakeKey } from './key-file.ts'

/** Tells what a stored text was encrypted by. */
const mark = 'local.'
const ivBytes = 12
const tagBytes = 16

/** Encrypts by AES-256-GCM with the key in a file (NIST SP 800-38D). @throws Error when the file is unusable. */
export const openLocalVault = async (keyFile: string): Promise<Vault> => {
  const key = await readOrMakeKey(keyFile)
  return {
    encrypt: async (text, context) => {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(bytesOf(context))
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return mark + Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64url')
    },

    decrypt: async (cipher, context) => {
      const bytes = Buffer.from(cipher.slice(mark.length), 'base64url')
      if (!cipher.startsWith(mark) || bytes.length < ivBytes + tagBytes)
        throw new Error('What is to be decrypted was not encrypted by the key file.')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), {
        // Without it, Node takes shorter tags too, which are easier to forge.
        authTagLength: tagBytes,
      })
        .setAAD(bytesOf(context))
        .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
      const text = decipher.update(bytes.subarray(ivBytes + tagBytes))
      return Buffer.concat([text, decipher.final()]).toString('utf8')
    },
  }
}

/** One spelling of a context, whatever the order of its names. */
const bytesOf = (context: EncryptionContext): Buffer =>
  Buffer.from(JSON.stringify(Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1))))
