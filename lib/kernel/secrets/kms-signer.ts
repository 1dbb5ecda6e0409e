import { createPublicKey } from 'node:crypto'
import { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms'
import type { Signer } from './signer.ts'

/** Public keys by the ID of their key. A key of KMS never changes its public key, so a process reads it once. */
const publicKeys = new Map<string, string>()

/** Signs with AWS KMS. The private key never leaves KMS, and its log records each signature. */
export const openKmsSigner = (keyId: string): Signer => {
  const client = new KMSClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
  })
  return {
    sign: async (text) => {
      const { Signature } = await client.send(
        new SignCommand({
          KeyId: keyId,
          Message: Buffer.from(text),
          MessageType: 'RAW',
          SigningAlgorithm: 'ECDSA_SHA_256',
        }),
      )
      if (!Signature) throw new Error('KMS returned no signature.')
      return Buffer.from(Signature).toString('base64url')
    },
    getPublicKey: async () => {
      const known = publicKeys.get(keyId)
      if (known) return known
      const { PublicKey } = await client.send(new GetPublicKeyCommand({ KeyId: keyId }))
      if (!PublicKey) throw new Error('KMS returned no public key.')
      const key = createPublicKey({ key: Buffer.from(PublicKey), format: 'der', type: 'spki' })
      const text = key.export({ type: 'spki', format: 'pem' }).toString()
      publicKeys.set(keyId, text)
      return text
    },
  }
}
