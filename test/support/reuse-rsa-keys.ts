import crypto, { type KeyPairKeyObjectResult, type webcrypto } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { resolve } from 'node:path'
import { isDeepStrictEqual, promisify } from 'node:util'

const { generateKeyPair, generateKeyPairSync } = crypto
const { subtle } = crypto.webcrypto
const { generateKey } = subtle
const generate = promisify(generateKeyPair)
const usualExponent = new Uint8Array([1, 0, 1])

const isPlain = (type: string, options: object = {}): options is { readonly modulusLength: number } =>
  type === 'rsa' && isDeepStrictEqual(Object.keys(options), ['modulusLength'])

const folder = resolve('node_modules/.cache/rsa-keys')

const restore = (path: string): KeyPairKeyObjectResult | undefined => {
  try {
    const privateKey = crypto.createPrivateKey(readFileSync(path))
    return { privateKey, publicKey: crypto.createPublicKey(privateKey) }
  } catch {
    return undefined
  }
}

/** Other processes read a whole key or none. */
const keep = (path: string, pair: KeyPairKeyObjectResult): KeyPairKeyObjectResult => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${path}.${process.pid}`, pair.privateKey.export({ format: 'pem', type: 'pkcs8' }))
  renameSync(`${path}.${process.pid}`, path)
  return pair
}

/**
 * Lets all test files use the same RSA keys, because one takes as long to generate as a fast test. A test file never gets a key twice.
 * Keys of other kinds and forms are generated as usual.
 */
export const reuseRsaKeys = (): (() => void) => {
  const used = new Map<number, number>()
  const reserve = (bits: number): string => {
    const index = used.get(bits) ?? 0
    used.set(bits, index + 1)
    return `${folder}/${bits}-${index}.pem`
  }
  const take = async (bits: number): Promise<KeyPairKeyObjectResult> => {
    const path = reserve(bits)
    return restore(path) ?? keep(path, await generate('rsa', { modulusLength: bits }))
  }
  const takeSync = (bits: number): KeyPairKeyObjectResult => {
    const path = reserve(bits)
    return restore(path) ?? keep(path, generateKeyPairSync('rsa', { modulusLength: bits }))
  }
  const original = { generateKeyPair, generateKeyPairSync }
  Object.assign(crypto, {
    generateKeyPair: Object.assign(generateKeyPair.bind(undefined), {
      [promisify.custom]: (type: 'rsa', options: crypto.RSAKeyPairKeyObjectOptions) =>
        isPlain(type, options) ? take(options.modulusLength) : generate(type, options),
    }),
    generateKeyPairSync: (type: string, options?: object) =>
      isPlain(type, options)
        ? takeSync(options.modulusLength)
        : Reflect.apply(generateKeyPairSync, crypto, [type, options]),
  })
  const takeCryptoKeys = async (
    algorithm: webcrypto.RsaHashedKeyGenParams,
    isExtractable: boolean,
    usages: readonly webcrypto.KeyUsage[],
  ): Promise<webcrypto.CryptoKeyPair> => {
    const { publicKey, privateKey } = await take(algorithm.modulusLength)
    const ofPublic = usages.filter((usage) => ['verify', 'encrypt', 'wrapKey'].includes(usage))
    const ofPrivate = usages.filter((usage) => !ofPublic.includes(usage))
    return {
      publicKey: publicKey.toCryptoKey(algorithm, true, ofPublic),
      privateKey: privateKey.toCryptoKey(algorithm, isExtractable, ofPrivate),
    }
  }
  Object.assign(subtle, {
    generateKey: (...given: Parameters<typeof generateKey>) => {
      const [algorithm, isExtractable, usages] = given
      const isRsa =
        typeof algorithm === 'object' &&
        'publicExponent' in algorithm &&
        isDeepStrictEqual(algorithm.publicExponent, usualExponent)
      return isRsa
        ? takeCryptoKeys(algorithm as webcrypto.RsaHashedKeyGenParams, isExtractable, usages)
        : Reflect.apply(generateKey, subtle, given)
    },
  })
  syncBuiltinESMExports()
  return () => {
    Object.assign(crypto, original)
    Object.assign(subtle, { generateKey })
    syncBuiltinESMExports()
  }
}
