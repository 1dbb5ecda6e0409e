import { generateKeyPairSync, sign } from 'node:crypto'
import { type StubRequest, startStub } from '../infra/stub-server.ts'
import type { JsonValue } from './client.ts'

export interface StubKms {
  readonly url: string
  /** The operation and input of each call so far. */
  readonly calls: readonly (readonly [operation: string, input: JsonValue])[]
  readonly close: () => Promise<void>
}

const reject = (type: string) => ({ status: 400, body: JSON.stringify({ __type: type, message: type }) })
const serialize = (context: Record<string, string> = {}) => JSON.stringify(Object.entries(context).sort())

/**
 * Starts a stub of AWS KMS. It decrypts a blob only for the key and encryption context that it was encrypted with, and
 * signs with one key pair.
 * `mayCall` decides whether a request is allowed.
 */
export const startKms = async (
  mayCall: (request: StubRequest, operation: string, input: JsonValue) => boolean = () => true,
): Promise<StubKms> => {
  const keyPair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const calls: [string, JsonValue][] = []
  const sealed = new Map<string, { keyId: string; context: string; text: string }>()
  const { url, close } = await startStub((request) => {
    const operation = String(request.headers['x-amz-target']).replace('TrentService.', '')
    const input = JSON.parse(request.body)
    if (!mayCall(request, operation, input)) return reject('AccessDeniedException')
    calls.push([operation, input])
    const context = serialize(input.EncryptionContext)
    if (operation === 'Sign') {
      const Signature = sign('sha256', Buffer.from(input.Message, 'base64'), keyPair.privateKey).toString(
        'base64',
      )
      return { status: 200, body: JSON.stringify({ Signature, KeyId: input.KeyId }) }
    }
    if (operation === 'GetPublicKey') {
      const PublicKey = keyPair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
      return { status: 200, body: JSON.stringify({ PublicKey, KeyId: input.KeyId }) }
    }
    if (operation === 'Encrypt') {
      const blob = Buffer.from(`sealed ${sealed.size}`).toString('base64')
      sealed.set(blob, { keyId: input.KeyId, context, text: input.Plaintext })
      return { status: 200, body: JSON.stringify({ CiphertextBlob: blob, KeyId: input.KeyId }) }
    }
    const found = sealed.get(input.CiphertextBlob)
    if (!found || found.context !== context) return reject('InvalidCiphertextException')
    if (found.keyId !== input.KeyId) return reject('IncorrectKeyException')
    return { status: 200, body: JSON.stringify({ Plaintext: found.text, KeyId: found.keyId }) }
  })
  return { url, calls, close }
}
