import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openVault } from '../../lib/secrets/encryption.ts'
import type { Vault } from '../../lib/secrets/vault.ts'
import { type StubKms, startKms } from '../support/kms.ts'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-vault-'))
let kms: StubKms
beforeAll(async () => {
  kms = await startKms()
  process.env['AWS_ENDPOINT_URL_KMS'] = kms.url
})
afterAll(async () => {
  await kms.close()
  rmSync(folder, { recursive: true })
})

const localVault = (name = 'vault.key') =>
  openVault({ kmsKeyId: undefined, localKeyFile: join(folder, name) })
const kmsVault = (kmsKeyId = 'the-key') => openVault({ kmsKeyId, localKeyFile: undefined })

const secret = 'GEZDGNBVGY3TQOJQ and ümlaut'
const context = { purpose: 'totp', user: '7' }

describe.each<[string, (key?: string) => Vault]>([
  ['the key file', localVault],
  ['KMS', kmsVault],
])('a vault by %s', (_, open) => {
  it('gives back what it encrypted, which never looks the same', async () => {
    const vault = open()
    const ciphers = await Promise.all([vault.encrypt(secret, context), vault.encrypt(secret, context)])
    expect(new Set(ciphers).size).toBe(2)
    for (const cipher of ciphers) {
      expect(cipher).not.toContain('GEZD')
      expect(await vault.decrypt(cipher, context)).toBe(secret)
      expect(await open().decrypt(cipher, { user: '7', purpose: 'totp' })).toBe(secret)
    }
  })

  it.each([
    { purpose: 'totp', user: '8' },
    { purpose: 'totp' },
    { purpose: 'totp', user: '7', more: '' },
    { purpose: '7', user: 'totp' },
    {},
  ])('refuses the context %j', async (other) => {
    const cipher = await open().encrypt(secret, context)
    await expect(open().decrypt(cipher, other)).rejects.toThrow()
  })

  it('refuses what was tampered with, cut or never encrypted', async () => {
    const vault = open()
    const cipher = await vault.encrypt(secret, context)
    const begin = cipher.indexOf('.') + 1
    for (let at = begin; at < cipher.length - 1; at++) {
      const other = cipher.slice(0, at) + (cipher[at] === 'A' ? 'B' : 'A') + cipher.slice(at + 1)
      await expect(vault.decrypt(other, context), `changed at ${at}`).rejects.toThrow()
      if (at % 9 === 0) await expect(vault.decrypt(cipher.slice(0, at), context)).rejects.toThrow()
    }
    for (const other of ['', secret, cipher.slice(begin), `x${cipher}`])
      await expect(vault.decrypt(other, context)).rejects.toThrow()
  })

  it('refuses what another key encrypted', async () => {
    const cipher = await open().encrypt(secret, context)
    await expect(open('another').decrypt(cipher, context)).rejects.toThrow()
  })

  it('takes texts of up to 4 KB, and an empty one', async () => {
    const vault = open()
    for (const text of ['', 'x'.repeat(4096)])
      expect(await vault.decrypt(await vault.encrypt(text, context), context)).toBe(text)
    await expect(vault.encrypt('é'.repeat(2049), context)).rejects.toThrow('4096 bytes')
  })
})

it('KMS is asked with the key and the context, and errors tell nothing of what was encrypted', async () => {
  const before = kms.calls.length
  const vault = kmsVault()
  const cipher = await vault.encrypt(secret, context)
  await vault.decrypt(cipher, context)
  expect(kms.calls.slice(before)).toMatchObject([
    ['Encrypt', { KeyId: 'the-key', EncryptionContext: context }],
    ['Decrypt', { KeyId: 'the-key', EncryptionContext: context }],
  ])
  const error = await vault.decrypt(cipher, {}).catch((reason: Error) => String(reason.stack))
  expect(error).toContain('InvalidCiphertextException')
  expect(error).not.toContain('GEZD')
})

it('what one vault encrypted the other refuses with a reason', async () => {
  const [local, byKms] = [await localVault().encrypt('x', {}), await kmsVault().encrypt('x', {})]
  await expect(localVault().decrypt(byKms, {})).rejects.toThrow('not encrypted by the key file')
  await expect(kmsVault().decrypt(local, {})).rejects.toThrow('not encrypted by KMS')
})

it('without a key, a vault can be made and says what is missing when it is used', async () => {
  const vault = openVault({ kmsKeyId: undefined, localKeyFile: undefined })
  for (const use of [vault.encrypt, vault.decrypt])
    await expect(use('x', {})).rejects.toThrow('set KMS_KEY_ID or LOCAL_KEY_FILE')
})
