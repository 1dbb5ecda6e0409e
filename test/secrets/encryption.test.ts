import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openVault } from '../../lib/kernel/secrets/encryption.ts'
import type { Vault } from '../../lib/kernel/secrets/vault.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startKms } from '../support/kms.ts'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-vault-'))
const kms = closeAfterTests(await startKms())
process.env['AWS_ENDPOINT_URL_KMS'] = kms.url
afterAll(() => rmSync(folder, { recursive: true }))

const openLocalVault = (name = 'vault.key') =>
  openVault({ kmsKeyId: undefined, localKeyFile: join(folder, name) })
const openKmsVault = (kmsKeyId = 'the-key') => openVault({ kmsKeyId, localKeyFile: undefined })

const secret = 'GEZDGNBVGY3TQOJQ and ümlaut'
const context = { purpose: 'totp', user: '7' }

describe.each<[string, (key?: string) => Vault]>([
  ['the key file', openLocalVault],
  ['KMS', openKmsVault],
])('a vault with %s', (_, open) => {
  it('decrypts what it encrypted, and never encrypts a text twice to the same result', async () => {
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
  ])('rejects the context %j', async (other) => {
    const cipher = await open().encrypt(secret, context)
    await expect(open().decrypt(cipher, other)).rejects.toThrow()
  })

  it('rejects texts that were modified, truncated, or never encrypted', async () => {
    const vault = open()
    const cipher = await vault.encrypt(secret, context)
    const start = cipher.indexOf('.') + 1
    for (let at = start; at < cipher.length - 1; at++) {
      const other = cipher.slice(0, at) + (cipher[at] === 'A' ? 'B' : 'A') + cipher.slice(at + 1)
      await expect(vault.decrypt(other, context), `changed at ${at}`).rejects.toThrow()
      if (at % 9 === 0) await expect(vault.decrypt(cipher.slice(0, at), context)).rejects.toThrow()
    }
    for (const other of ['', secret, cipher.slice(start), `x${cipher}`])
      await expect(vault.decrypt(other, context)).rejects.toThrow()
  })

  it('rejects texts that another key encrypted', async () => {
    const cipher = await open().encrypt(secret, context)
    await expect(open('another').decrypt(cipher, context)).rejects.toThrow()
  })

  it('accepts texts of up to 4 KB and an empty text', async () => {
    const vault = open()
    for (const text of ['', 'x'.repeat(4096)])
      expect(await vault.decrypt(await vault.encrypt(text, context), context)).toBe(text)
    await expect(vault.encrypt('é'.repeat(2049), context)).rejects.toThrow('4096 bytes')
  })
})

it('calls KMS with the key and the context, and leaks no plaintext in errors', async () => {
  const before = kms.calls.length
  const vault = openKmsVault()
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

it('explains that the other vault encrypted a text', async () => {
  const [local, byKms] = [await openLocalVault().encrypt('x', {}), await openKmsVault().encrypt('x', {})]
  await expect(openLocalVault().decrypt(byKms, {})).rejects.toThrow('not encrypted with the key file')
  await expect(openKmsVault().decrypt(local, {})).rejects.toThrow('not encrypted with KMS')
})

it('opens a vault without a key and names the missing settings when it is used', async () => {
  const vault = openVault({ kmsKeyId: undefined, localKeyFile: undefined })
  for (const use of [vault.encrypt, vault.decrypt])
    await expect(use('x', {})).rejects.toThrow('Set KMS_KEY_ID or LOCAL_KEY_FILE')
})
