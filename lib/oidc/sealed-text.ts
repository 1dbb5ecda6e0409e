import { hkdfSync, type KeyObject } from 'node:crypto'
import { decryptText, encryptText } from '../secrets/jwe.ts'
import type { EncryptionContext } from '../secrets/vault.ts'
import type { Services } from '../services.ts'
import { getKeys, readKeys } from '../signing-keys/key-cache.ts'
import { getPrivateKey } from '../signing-keys/signing-key.ts'

/*
 * What a browser keeps for the service, so that the table does not have to. Each signing key has a key for it, so nothing
 * else has to be stored and rotated. The newest signing key exists long before it signs, so a text can still be opened
 * after the keys change.
 */

/** Encrypts a text for the service itself. It can be opened with the same context only, and not be changed. */
export const sealText = async (
  services: Services,
  text: string,
  context: EncryptionContext,
): Promise<string> => {
  for (const list of [getKeys, readKeys]) {
    const keys = await list(services)
    const newest = keys.at(-1)
    const privateKey = newest && (await getPrivateKey(services, keys, newest))
    if (privateKey) return `${newest.kid}.${await encryptText(deriveKey(privateKey), text, context)}`
  }
  throw new Error('There is no key to encrypt with. Run the function signing-keys.')
}

/** Opens a sealed text. Returns undefined if it was changed, belongs to another context, or its key was withdrawn. */
export const openText = async (
  services: Services,
  sealed: string,
  context: EncryptionContext,
): Promise<string | undefined> => {
  const [kid = ''] = sealed.split('.', 1)
  // The cached list can be older than the newest key.
  for (const list of [getKeys, readKeys]) {
    const keys = await list(services)
    const record = keys.find((key) => key.kid === kid)
    const privateKey = record && (await getPrivateKey(services, keys, record))
    if (privateKey)
      return decryptText(deriveKey(privateKey), sealed.slice(kid.length + 1), context).catch(() => undefined)
  }
  return undefined
}

/** Derives a key for this purpose alone (RFC 5869), so that it says nothing about the signing key. */
const deriveKey = (privateKey: KeyObject): Uint8Array =>
  new Uint8Array(
    hkdfSync('sha256', privateKey.export({ format: 'der', type: 'pkcs8' }), '', 'latchkey sealed text', 32),
  )
