import { decryptText, encryptText } from './jwe.ts'
import { readOrCreateKey } from './key-file.ts'
import { UnreadableSecret, type Vault } from './vault.ts'

/** Identifies stored texts that a key file encrypted. */
const prefix = 'local.'

/** Encrypts with the key in a file. @throws Error if the file is unusable. */
export const openLocalVault = async (keyFile: string): Promise<Vault> => {
  const key = await readOrCreateKey(keyFile)
  return {
    encrypt: async (text, context) => prefix + (await encryptText(key, text, context)),

    decrypt: async (cipher, context) => {
      if (!cipher.startsWith(prefix))
        throw new UnreadableSecret('The text was not encrypted with the key file.')
      return decryptText(key, cipher.slice(prefix.length), context)
    },
  }
}
