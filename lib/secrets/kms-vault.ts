import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms'
import type { EncryptionContext, Vault } from './vault.ts'

/** Tells what a stored text was encrypted by. */
const mark = 'kms.'

/** Encrypts by AWS KMS: the key never leaves it, and its log tells who decrypted what, by the context. */
export const openKmsVault = (keyId: string): Vault => {
  const client = new KMSClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
  })
  return {
    encrypt: async (text, context) => {
      const { CiphertextBlob } = await client.send(
        new EncryptCommand({
          KeyId: keyId,
          Plaintext: Buffer.from(text),
          EncryptionContext: contextOf(context),
        }),
      )
      if (!CiphertextBlob) throw new Error('KMS answered without a ciphertext.')
      return mark + Buffer.from(CiphertextBlob).toString('base64url')
    },

    decrypt: async (cipher, context) => {
      if (!cipher.startsWith(mark)) throw new Error('What is to be decrypted was not encrypted by KMS.')
      const { Plaintext } = await client.send(
        new DecryptCommand({
          // Named, so that nobody slips in what another key of the account has encrypted.
          KeyId: keyId,
          CiphertextBlob: Buffer.from(cipher.slice(mark.length), 'base64url'),
          EncryptionContext: contextOf(context),
        }),
      )
      if (!Plaintext) throw new Error('KMS answered without a plaintext.')
      return Buffer.from(Plaintext).toString('utf8')
    },
  }
}

const contextOf = (context: EncryptionContext): Record<string, string> => ({ ...context })
