import { expect, it } from 'vitest'
import { findHash, hashRecoveryCode, mintRecoveryCode } from '../../lib/secrets/recovery-codes.ts'

it('creates unique, evenly distributed codes without letters that look like digits', () => {
  const codes = Array.from({ length: 3000 }, () => mintRecoveryCode(7).value)
  expect(codes.filter((code) => !/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/.test(code))).toEqual([])
  expect(new Set(codes).size).toBe(codes.length)
  const counts = new Map<string, number>()
  for (const digit of codes.join('').replaceAll('-', '')) counts.set(digit, (counts.get(digit) ?? 0) + 1)
  expect(counts.size).toBe(32)
  // 48,000 digits, 1,500 of each on average with a standard deviation of 38. Ten deviations never happen by chance.
  for (const count of counts.values()) expect(Math.abs(count - 1500)).toBeLessThan(380)
})

it('hashes a code in the same way when it is created and when it is typed', () => {
  const { value, hash } = mintRecoveryCode(7)
  expect(hash).toBe(hashRecoveryCode(7, value))
  expect(hash).not.toContain(value.slice(0, 4))
})

it('hashes every way to type a code to the same value, for one user only', () => {
  const hash = hashRecoveryCode(7, '01ab-cdef-ghjk-mnpq')
  for (const typed of ['01abcdefghjkmnpq', ' OLAB CDEF GHJK MNPQ ', 'oIab-cdef-ghjk-mnpq\n'])
    expect(hashRecoveryCode(7, typed)).toBe(hash)
  expect(hashRecoveryCode(8, '01ab-cdef-ghjk-mnpq')).not.toBe(hash)
})

it.each([
  '',
  '123456',
  '01ab-cdef-ghjk-mnp',
  '01ab-cdef-ghjk-mnpqr',
  '01ab-cdef-ghjk-mnpu',
  '０1ab-cdef-ghjk-mnpq',
])('rejects %j as a code', (typed) => {
  expect(hashRecoveryCode(7, typed)).toBeUndefined()
})

it('rejects a huge text as a code', () => {
  expect(hashRecoveryCode(7, `01abcdefghjkmnpq${'-'.repeat(60_000)}`)).toBeUndefined()
})

it('finds a stored hash only by the whole hash', () => {
  const stored = ['aaaa', 'bbbb']
  expect(findHash(stored, 'bbbb')).toBe('bbbb')
  for (const other of ['bbb', 'bbbbb', 'bbbc', '']) expect(findHash(stored, other)).toBeUndefined()
})
