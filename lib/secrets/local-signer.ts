import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { readOrCreateKeyFile } from './key-file.ts'
import type { Signer } from './signer.ts'

/** Signs with the key in a file. @throws Error if the file is unusable. */
export const openLocalSigner = async (keyFile: string): Promise<Signer> => {
  const key = createPrivateKey(await readOrCreateKeyFile(keyFile, generateKey))
  return {
    sign: async (text) => sign('sha256', Buffer.from(text), key).toString('base64url'),
    getPublicKey: async () => createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
  }
}

const generateKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()
