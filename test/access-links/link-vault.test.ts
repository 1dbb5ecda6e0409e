import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { getLinkVault, linkPurpose } from '../../lib/features/access-links/link-vault.ts'
import { openVault } from '../../lib/kernel/secrets/encryption.ts'
import { dataKeyKey } from '../../lib/kernel/table/keys/keys.ts'
import type { Services } from '../../lib/services.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { flipBit } from '../support/flip-bit.ts'
import { startKms } from '../support/kms.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const kms = closeAfterTests(await startKms())
process.env['AWS_ENDPOINT_URL_KMS'] = kms.url
let month = 0
beforeEach(() => {
  // Each test runs in its own month, which has no key yet.
  month += 1
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, month, 15) })
})
afterEach(() => vi.useRealTimers())

/** The services of a new process, which has cached nothing. */
const newProcess = (): Services => ({
  ...service.services,
  vault: openVault({ kmsKeyId: 'the-key', localKeyFile: undefined }),
})
const context = (token: number) => ({ purpose: linkPurpose, token: String(token) })
const callsSince = (before: number) => kms.calls.slice(before).map(([operation]) => operation)

describe('encrypted link values', () => {
  it('take one KMS call to encrypt and one to decrypt, regardless of their number', async () => {
    const before = kms.calls.length
    const writer = getLinkVault(newProcess())
    const ciphers: string[] = []
    for (let token = 0; token < 50; token++)
      ciphers.push(await writer.encrypt(`value ${token}`, context(token)))
    expect(callsSince(before)).toEqual(['Encrypt'])
    const reader = getLinkVault(newProcess())
    const values = await Promise.all(ciphers.map((cipher, token) => reader.decrypt(cipher, context(token))))
    expect(values).toEqual(ciphers.map((_, token) => `value ${token}`))
    expect(callsSince(before)).toEqual(['Encrypt', 'Decrypt'])
    expect(new Set(ciphers).size).toBe(50)
  })

  it('can be decrypted only for their own link and only unmodified', async () => {
    const vault = getLinkVault(newProcess())
    const cipher = await vault.encrypt('the value', context(1))
    await expect(vault.decrypt(cipher, context(2))).rejects.toThrow()
    for (const other of [
      '',
      'the value',
      cipher.slice(8),
      flipBit(cipher, -5),
      cipher.replace('2030', '2029'),
    ])
      await expect(vault.decrypt(other, context(1))).rejects.toThrow()
    expect(await vault.decrypt(cipher, context(1))).toBe('the value')
  })

  it('share one key when ten processes start a month concurrently', async () => {
    const vaults = Array.from({ length: 10 }, () => getLinkVault(newProcess()))
    const ciphers = await Promise.all(vaults.map((vault, token) => vault.encrypt('x', context(token))))
    const reader = getLinkVault(newProcess())
    for (const [token, cipher] of ciphers.entries())
      expect(await reader.decrypt(cipher, context(token))).toBe('x')
  })

  it('remain readable in the next month, and the stored key is encrypted', async () => {
    const vault = getLinkVault(newProcess())
    const old = await vault.encrypt('old', context(1))
    month += 1
    vi.setSystemTime(Date.UTC(2030, month, 15))
    const recent = await vault.encrypt('new', context(2))
    expect(recent.slice(0, 7)).not.toBe(old.slice(0, 7))
    const reader = getLinkVault(newProcess())
    expect(await reader.decrypt(old, context(1))).toBe('old')
    const stored = await service.services.table.get(dataKeyKey(linkPurpose, old.slice(0, 7)))
    expect(stored?.['cipher']).toMatch(/^kms\./)
    expect(kms.calls.filter(([operation]) => operation === 'Encrypt').at(-1)?.[1]).toMatchObject({
      KeyId: 'the-key',
      EncryptionContext: { purpose: linkPurpose, month: recent.slice(0, 7) },
    })
  })

  it('can be decrypted after KMS failed once', async () => {
    const failing = newProcess()
    let fails = true
    const vault = getLinkVault({
      ...failing,
      vault: {
        encrypt: async (...given) => {
          if (fails) throw new Error('KMS is down')
          return failing.vault.encrypt(...given)
        },
        decrypt: failing.vault.decrypt,
      },
    })
    await expect(vault.encrypt('x', context(1))).rejects.toThrow('KMS is down')
    fails = false
    expect(await vault.decrypt(await vault.encrypt('x', context(1)), context(1))).toBe('x')
  })
})
