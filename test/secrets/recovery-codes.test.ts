import { expect, it } from 'vitest'
import { findHash, hashRecoveryCode, mintRecoveryCode } from '../../lib/secrets/recovery-codes.ts'

it('a recovery code is new each time, evenly drawn, and free of letters that look like digits', () => {
  const codes = Array.from({ length: 3000 }, () => mintRecoveryCode(7).value)
  expect(codes.filter((code) => !/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/.test(code))).toEqual([])
  expect(new Set(codes).size).toBe(codes.length)
  const counts = new Map<string, number>()
  for (const digit of codes.join('').replaceAll('-', '')) counts.set(digit, (counts.get(digit) ?? 0) + 1)
  expect(counts.size).toBe(32)
  // 48,000 digits, 1,500 of each on average with a deviation of 38: ten of those is never.
  for (const count of counts.values()) expect(Math.abs(count - 1500)).toBeLessThan(380)
})

it('has the hash that it is found by', () => {
  const { value, hash } = mintRecoveryCode(7)
  expect(hash).toBe(hashRecoveryCode(7, value))
  expect(hash).not.toContain(value.slice(0, 4))
})

it('is the same however it is typed, for its user alone', () => {
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
])('can’t be %j', (typed) => {
  expect(hashRecoveryCode(7, typed)).toBeUndefined()
})

it('can’t be huge', () => {
  expect(hashRecoveryCode(7, `01abcdefghjkmnpq${'-'.repeat(60_000)}`)).toBeUndefined()
})

it('is found among the stored ones by the whole hash alone', () => {
  const stored = ['aaaa', 'bbbb']
  expect(findHash(stored, 'bbbb')).toBe('bbbb')
  for (const other of ['bbb', 'bbbbb', 'bbbc', '']) expect(findHash(stored, other)).toBeUndefined()
})
