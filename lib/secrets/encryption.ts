import { longestTextBytes, type Vault } from './vault.ts'

export interface VaultOptions {
  /** The key of AWS KMS to encrypt with, by id or ARN. */
  readonly kmsKeyId: string | undefined
  /** The file with a key of our own, made on first use. */
  readonly localKeyFile: string | undefined
}

/**
 * The vault of this process. Nothing is loaded, read or connected to before the first use: most requests never
 * come by it.
 */
export const openVault = (options: VaultOptions): Vault => {
  let opening: Promise<Vault> | undefined
  const opened = (): Promise<Vault> => {
    opening ??= choose(options).catch((error: unknown) => {
      // A key file that can't be read now may be readable at the next request.
      opening = undefined
      throw error
    })
    return opening
  }
  return {
    encrypt: async (text, context) => {
      if (Buffer.byteLength(text) > longestTextBytes)
        throw new Error(`A text of more than ${longestTextBytes} bytes can't be encrypted.`)
      return (await opened()).encrypt(text, context)
    },
    decrypt: async (cipher, context) => (await opened()).decrypt(cipher, context),
  }
}

const choose = async ({ kmsKeyId, localKeyFile }: VaultOptions): Promise<Vault> => {
  if (kmsKeyId) return (await import('./kms-vault.ts')).openKmsVault(kmsKeyId)
  if (localKeyFile) return (await import('./local-vault.ts')).openLocalVault(localKeyFile)
  throw new Error('There is no key to encrypt with: set KMS_KEY_ID or LOCAL_KEY_FILE.')
}
