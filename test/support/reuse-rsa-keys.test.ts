import { createPrivateKey, generateKeyPair, generateKeyPairSync, sign, verify, webcrypto } from 'node:crypto'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { reuseRsaKeys } from './reuse-rsa-keys.ts'

const rsa = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
}

/** Generates a key in each of the ways that the service and the tests use. */
const generateAll = async () => {
  const generate = promisify(generateKeyPair)
  const options = { modulusLength: 2048 }
  const pair = await webcrypto.subtle.generateKey(rsa, true, ['sign', 'verify'])
  const exported = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', pair.privateKey))
  return {
    keys: [
      (await generate('rsa', options)).privateKey,
      generateKeyPairSync('rsa', options).privateKey,
      createPrivateKey({ key: exported, format: 'der', type: 'pkcs8' }),
    ].map((key) => String(key.export({ format: 'pem', type: 'pkcs8' }))),
    pair,
  }
}

it('RSA keys differ within a test file, and are those that other files have', async () => {
  const first = await generateAll()
  const stop = reuseRsaKeys()
  const second = await generateAll()
  stop()
  expect(new Set(first.keys).size).toBe(3)
  expect(second.keys).toEqual(first.keys)
})

it('an RSA key of Web Crypto has the form and the uses that were asked for', async () => {
  const { privateKey, publicKey } = await webcrypto.subtle.generateKey(rsa, false, ['sign', 'verify'])
  expect([privateKey.extractable, privateKey.usages, publicKey.usages]).toEqual([false, ['sign'], ['verify']])
  const data = Buffer.from('signed')
  const signature = await webcrypto.subtle.sign(rsa, privateKey, data)
  expect(await webcrypto.subtle.verify(rsa, publicKey, signature, data)).toBe(true)
})

it('keys of other kinds are new', () => {
  const pairs = [1, 2].map(() => generateKeyPairSync('ed25519'))
  const [one, other] = pairs
  const signature = sign(null, Buffer.from('signed'), one?.privateKey ?? '')
  expect(pairs.map((pair) => verify(null, Buffer.from('signed'), pair.publicKey, signature))).toEqual([
    true,
    false,
  ])
  expect(other?.publicKey.asymmetricKeyType).toBe('ed25519')
})
