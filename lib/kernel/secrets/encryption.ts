import { maxTextBytes, type Vault } from './vault.ts'

export interface VaultOptions {
  /** The ID or ARN of the AWS KMS key that encrypts. */
  readonly kmsKeyId: string | undefined
  /** Another KMS key that only decrypts, during a change of keys. */
  readonly kmsOtherKeyId?: string | undefined
  /** The key file that replaces KMS in local mode. It is created on first use. */
  readonly localKeyFile: string | undefined
}

/**
 * Opens the vault of this process. Nothing is loaded, read, or connected before the first use, because most requests
 * do not need the vault.
 */
export const openVault = (options: VaultOptions): Vault => {
  let loading: Promise<Vault> | undefined
  const load = (): Promise<Vault> => {
    loading ??= openChosenVault(options).catch((error: unknown) => {
      // A key file that cannot be read now may be readable at the next request.
      loading = undefined
      throw error
    })
    return loading
  }
  return {
    encrypt: async (text, context) => {
      if (Buffer.byteLength(text) > maxTextBytes)
        throw new Error(`The vault cannot encrypt texts of more than ${maxTextBytes} bytes.`)
      return (await load()).encrypt(text, context)
    },
    decrypt: async (cipher, context) => (await load()).decrypt(cipher, context),
  }
}

const openChosenVault = async ({ kmsKeyId, kmsOtherKeyId, localKeyFile }: VaultOptions): Promise<Vault> => {
  if (kmsKeyId) return (await import('./kms-vault.ts')).openKmsVault(kmsKeyId, kmsOtherKeyId)
  if (localKeyFile) return (await import('./local-keys.ts')).openLocalVault(localKeyFile)
  throw new Error('No encryption key is configured. Set KMS_KEY_ID or LOCAL_KEY_FILE.')
}
