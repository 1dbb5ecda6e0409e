import { expect, it } from 'vitest'
import {
  findRecoveryCode,
  mintRecoveryCode,
  mintRecoveryCodes,
} from '../../lib/kernel/secrets/recovery-codes.ts'

it('creates unique, evenly distributed codes without letters that look like digits', () => {
  const codes = Array.from({ length: 3000 }, () => mintRecoveryCode())
  expect(codes.filter((code) => !/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/.test(code))).toEqual([])
  expect(new Set(codes).size).toBe(codes.length)
  const counts = new Map<string, number>()
  for (const digit of codes.join('').replaceAll('-', '')) counts.set(digit, (counts.get(digit) ?? 0) + 1)
  expect(counts.size).toBe(32)
  // 48,000 digits, 1,500 of each on average with a standard deviation of 38. Ten deviations never happen by chance.
  for (const count of counts.values()) expect(Math.abs(count - 1500)).toBeLessThan(380)
})

it('stores salted hashes, from which each code is found', async () => {
  const { values, stored } = await mintRecoveryCodes()
  const hashes = Object.keys(stored)
  for (const [at, value] of values.entries()) {
    expect(await findRecoveryCode(hashes, value)).toBe(hashes[at])
    expect(JSON.stringify(stored)).not.toContain(value)
    expect(JSON.stringify(stored)).not.toContain(value.replaceAll('-', ''))
  }
  const other = await mintRecoveryCodes()
  expect(await findRecoveryCode(Object.keys(other.stored), values[0] ?? '')).toBeUndefined()
  const [salt] = hashes[0]?.split('.') ?? []
  expect(Buffer.from(salt ?? '', 'base64url')).toHaveLength(16)
})

it('finds a code in every way to type it', async () => {
  const { values, stored } = await mintRecoveryCodes()
  const [value = '', [hash = ''] = []] = [values[0], Object.keys(stored)]
  const lookAlikes = value.replaceAll('0', 'o').replaceAll('1', 'l')
  for (const typed of [value, value.replaceAll('-', ''), ` ${lookAlikes.toUpperCase()} `, `${lookAlikes}\n`])
    expect(await findRecoveryCode(Object.keys(stored), typed)).toBe(hash)
})

it('finds no code from a damaged hash', async () => {
  const { values, stored } = await mintRecoveryCodes()
  const [hash = ''] = Object.keys(stored)
  for (const other of [hash.slice(1), `${hash}a`, hash.replace('.', ''), ''])
    expect(await findRecoveryCode([other], values[0] ?? '')).toBeUndefined()
})

it.each([
  '',
  '123456',
  '01ab-cdef-ghjk-mnp',
  '01ab-cdef-ghjk-mnpqr',
  '01ab-cdef-ghjk-mnpu',
  '０1ab-cdef-ghjk-mnpq',
  `01abcdefghjkmnpq${'-'.repeat(60_000)}`,
])('rejects %.20s as a code', async (typed) => {
  const { stored } = await mintRecoveryCodes()
  expect(await findRecoveryCode(Object.keys(stored), typed)).toBeUndefined()
})
