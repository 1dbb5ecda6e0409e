import { generateKeyPairSync, type KeyPairKeyObjectResult, sign } from 'node:crypto'
import { type StubRequest, startStub } from '../infra/stub-server.ts'
import type { JsonValue } from './client.ts'

/** The keys and what they encrypted. Stubs of two regions share them, as far as the keys have replicas. */
export interface KeyMaterial {
  readonly pair: KeyPairKeyObjectResult
  readonly sealed: Map<string, { readonly keyId: string; readonly context: string; readonly text: string }>
}

const createKeyMaterial = (): KeyMaterial => ({
  pair: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  sealed: new Map(),
})

/** A multi-Region key and its replicas have one ID. Other keys exist in one region alone. */
const isSameKey = (a: string, b: string): boolean =>
  a === b || (/:key\/mrk-/.test(a) && a.split('/')[1] === b.split('/')[1])

export interface StubKms {
  readonly url: string
  readonly material: KeyMaterial
  /** The operation and input of each call so far. */
  readonly calls: readonly (readonly [operation: string, input: JsonValue])[]
  readonly close: () => Promise<void>
}

const reject = (type: string) => ({ status: 400, body: JSON.stringify({ __type: type, message: type }) })
const serialize = (context: Record<string, string> = {}) => JSON.stringify(Object.entries(context).sort())

/**
 * Starts a stub of AWS KMS. It decrypts a blob only for the encryption context that it was encrypted with, and for the key or a
 * replica of it. It signs with one key pair.
 * `mayCall` decides whether a request is allowed.
 */
export const startKms = async (
  mayCall: (request: StubRequest, operation: string, input: JsonValue) => boolean = () => true,
  material: KeyMaterial = createKeyMaterial(),
): Promise<StubKms> => {
  const { pair: keyPair, sealed } = material
  const calls: [string, JsonValue][] = []
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
    if (!isSameKey(found.keyId, input.KeyId)) return reject('IncorrectKeyException')
    return { status: 200, body: JSON.stringify({ Plaintext: found.text, KeyId: input.KeyId }) }
  })
  return { url, material, calls, close }
}
