import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { findRecoveryCode, mintRecoveryCode, mintRecoveryCodes } from '../../lib/secrets/recovery-codes.ts'

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

/** The hash that version 0.1.0 stored for the code 01ab-cdef-ghjk-mnpq of the user 7. */
const earlierHash = createHash('sha256').update('recovery-code#7#01abcdefghjkmnpq').digest('base64url')

it('stores salted hashes, from which each code is found', async () => {
  const { values, stored } = await mintRecoveryCodes()
  const hashes = Object.keys(stored)
  for (const [at, value] of values.entries()) {
    expect(await findRecoveryCode(7, hashes, value)).toBe(hashes[at])
    expect(JSON.stringify(stored)).not.toContain(value.slice(0, 4))
  }
  const other = await mintRecoveryCodes()
  expect(await findRecoveryCode(7, Object.keys(other.stored), values[0] ?? '')).toBeUndefined()
  const [salt] = hashes[0]?.split('.') ?? []
  expect(Buffer.from(salt ?? '', 'base64url')).toHaveLength(16)
})

it('finds a code in every way to type it', async () => {
  for (const typed of ['01abcdefghjkmnpq', ' OLAB CDEF GHJK MNPQ ', 'oIab-cdef-ghjk-mnpq\n'])
    expect(await findRecoveryCode(7, [earlierHash], typed)).toBe(earlierHash)
})

it('finds codes of version 0.1.0, for their user only', async () => {
  expect(await findRecoveryCode(7, [earlierHash], '01ab-cdef-ghjk-mnpq')).toBe(earlierHash)
  expect(await findRecoveryCode(8, [earlierHash], '01ab-cdef-ghjk-mnpq')).toBeUndefined()
  for (const other of [earlierHash.slice(1), `${earlierHash}a`, ''])
    expect(await findRecoveryCode(7, [other], '01ab-cdef-ghjk-mnpq')).toBeUndefined()
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
  expect(await findRecoveryCode(7, [earlierHash], typed)).toBeUndefined()
})
