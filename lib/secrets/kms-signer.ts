import { createPublicKey } from 'node:crypto'
import { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms'
import type { Signer } from './signer.ts'

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
      const { PublicKey } = await client.send(new GetPublicKeyCommand({ KeyId: keyId }))
      if (!PublicKey) throw new Error('KMS returned no public key.')
      const key = createPublicKey({ key: Buffer.from(PublicKey), format: 'der', type: 'spki' })
      return key.export({ type: 'spki', format: 'pem' }).toString()
    },
  }
}
