import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { decryptText, encryptText } from './jwe.ts'
import type { Signer } from './signer.ts'
import { UnreadableSecret, type Vault } from './vault.ts'

/** Identifies stored texts that a key file encrypted. */
const prefix = 'local.'

/** Encrypts with the key in a file. @throws Error if the file is unusable. */
export const openLocalVault = async (keyFile: string): Promise<Vault> => {
  const key = await readOrCreateKey(keyFile)
  return {
    encrypt: async (text, context) => prefix + (await encryptText(key, text, context)),

    decrypt: async (cipher, context) => {
      if (!cipher.startsWith(prefix))
        throw new UnreadableSecret('The text was not encrypted with the key file.')
      return decryptText(key, cipher.slice(prefix.length), context)
    },
  }
}

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

const keyBytes = 32

/**
 * Returns the key in a file. If the file does not exist, it is created with a random key. Of several processes that
 * start at the same time, one creates the file, and all get the same key.
 *
 * @throws Error if the file cannot be read or created, or does not contain a key.
 */
export const readOrCreateKey = async (path: string): Promise<Buffer> => {
  const text = await readOrCreateKeyFile(path, () => randomBytes(keyBytes).toString('hex'))
  if (!/^[0-9a-f]{64}\s*$/.test(text)) throw new Error(`${path} does not contain an encryption key.`)
  return Buffer.from(text.trim(), 'hex')
}

/** The same for the text of any key. `create` is called if there is no file. */
const readOrCreateKeyFile = async (path: string, create: () => string): Promise<string> =>
  (await readIfExists(path)) ?? createKeyFile(path, create())

const createKeyFile = async (path: string, text: string): Promise<string> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  // The key is written under a temporary name and then linked to its own name, which fails if that name exists. No
  // process can read an incomplete key, and a key that has encrypted something is never replaced.
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${text.trim()}\n`)
    await file.sync()
    await link(draft, path)
  } catch (error) {
    if (getCode(error) !== 'EEXIST') throw error
  } finally {
    await file.close()
    await rm(draft)
  }
  return readFile(path, 'utf8')
}

const readIfExists = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (getCode(error) === 'ENOENT') return undefined
    throw error
  }
}

const getCode = (error: unknown): unknown => (error as { code?: unknown }).code
