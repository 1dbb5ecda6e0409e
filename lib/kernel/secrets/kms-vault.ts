import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms'
import { type EncryptionContext, UnreadableSecret, type Vault } from './vault.ts'

/** Identifies stored texts that KMS encrypted. */
const prefix = 'kms.'

/**
 * Encrypts with AWS KMS. The key never leaves KMS, and its log records each decryption with the context. Texts that were
 * encrypted with the other key are decrypted as well, so that secrets can move from one key to another under traffic.
 */
export const openKmsVault = (keyId: string, otherKeyId?: string): Vault => {
  const client = new KMSClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
  })
  const decryptWith = async (id: string, cipher: string, context: EncryptionContext): Promise<string> => {
    const { Plaintext } = await client.send(
      new DecryptCommand({
        // Without the key ID, KMS would also decrypt texts of any other key of the account.
        KeyId: id,
        CiphertextBlob: Buffer.from(cipher.slice(prefix.length), 'base64url'),
        EncryptionContext: toPlainObject(context),
      }),
    )
    if (!Plaintext) throw new Error('KMS returned no plaintext.')
    return Buffer.from(Plaintext).toString('utf8')
  }
  return {
    encrypt: async (text, context) => {
      const { CiphertextBlob } = await client.send(
        new EncryptCommand({
          KeyId: keyId,
          Plaintext: Buffer.from(text),
          EncryptionContext: toPlainObject(context),
        }),
      )
      if (!CiphertextBlob) throw new Error('KMS returned no ciphertext.')
      return prefix + Buffer.from(CiphertextBlob).toString('base64url')
    },

    decrypt: async (cipher, context) => {
      if (!cipher.startsWith(prefix)) throw new UnreadableSecret('The text was not encrypted with KMS.')
      try {
        return await decryptWith(keyId, cipher, context)
      } catch (error) {
        if (!otherKeyId || !isOfOtherKey(error)) throw toUnreadable(error)
        return decryptWith(otherKeyId, cipher, context).catch((cause: unknown) => {
          throw toUnreadable(cause)
        })
      }
    },
  }
}

const isOfOtherKey = (error: unknown): boolean =>
  error instanceof Error && error.name === 'IncorrectKeyException'

/** KMS gives these reasons for a text that was modified, or encrypted with another key or for another context. */
const toUnreadable = (error: unknown): unknown =>
  error instanceof Error && ['IncorrectKeyException', 'InvalidCiphertextException'].includes(error.name)
    ? new UnreadableSecret(`The text was modified, or encrypted with another key (${error.name}).`, {
        cause: error,
      })
    : error

const toPlainObject = (context: EncryptionContext): Record<string, string> => ({ ...context })
