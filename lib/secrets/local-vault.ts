import type { Vault } from './encryption.ts'
import { openText, sealText } from './jwe.ts'
import { readOrMakeKey } from './key-file.ts'

/** Tells what a stored text was encrypted by. */
const mark = 'local.'

/** Encrypts by the key in a file. @throws Error when the file is unusable. */
export const openLocalVault = async (keyFile: string): Promise<Vault> => {
  const key = await readOrMakeKey(keyFile)
  return {
    encrypt: async (text, context) => mark + (await sealText(key, text, context)),

    decrypt: async (cipher, context) => {
      if (!cipher.startsWith(mark))
        throw new Error('What is to be decrypted was not encrypted by the key file.')
      return openText(key, cipher.slice(mark.length), context)
    },
  }
}
