import { decryptText, encryptText } from './jwe.ts'
import { readOrCreateKey } from './key-file.ts'
import type { Vault } from './vault.ts'

/** Tells what a stored text was encrypted by. */
const mark = 'local.'

/** Encrypts by the key in a file. @throws Error when the file is unusable. */
export const openLocalVault = async (keyFile: string): Promise<Vault> => {
  const key = await readOrCreateKey(keyFile)
  return {
    encrypt: async (text, context) => mark + (await encryptText(key, text, context)),

    decrypt: async (cipher, context) => {
      if (!cipher.startsWith(mark))
        throw new Error('What is to be decrypted was not encrypted by the key file.')
      return decryptText(key, cipher.slice(mark.length), context)
    },
  }
}
