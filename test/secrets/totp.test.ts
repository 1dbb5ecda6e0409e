import { describe, expect, it } from 'vitest'
import {
  allDrifts,
  getDriftsAround,
  matchCode,
  readTotpCode,
  readTotpKey,
} from '../../lib/kernel/secrets/totp.ts'

/** `12345678901234567890` of RFC 6238, appendix B. */
const rfcKey = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

describe('a code', () => {
  it.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ])('at second %i equals the test vector of RFC 6238', async (seconds, code) => {
    const nowMs = seconds * 1000
    const match = await matchCode(rfcKey, code, { nowMs, drifts: [0], lastStep: -1 })
    expect(match).toEqual({ step: Math.floor(seconds / 30), driftSteps: 0 })
  })

  it('matches its time step only if the drift is tried and the step is unused', async () => {
    const find = (drifts: readonly number[], lastStep: number) =>
      matchCode(rfcKey, '050471', { nowMs: (1111111111 + 90) * 1000, drifts, lastStep })
    const step = Math.floor(1111111111 / 30)
    expect(await find(allDrifts, step - 1)).toEqual({ step, driftSteps: -3 })
    expect(await find(getDriftsAround(-2), -1)).toEqual({ step, driftSteps: -3 })
    expect(await find(getDriftsAround(-1), -1)).toBeUndefined()
    expect(await find(allDrifts, step)).toBeUndefined()
  })

  it.each(['123456', '123 456', ' 123-456\n', '12 34 56', '123\u00a0456'])('can be typed as %j', (typed) => {
    expect(readTotpCode(typed)).toBe('123456')
  })

  it.each([
    '',
    '12345',
    '1234567',
    '-',
    '12345a',
    '123456\0',
    '１２３４５６',
    '١٢٣٤٥٦',
    '1e5000',
    '0x1234',
    `123456${' '.repeat(100)}`,
    '1'.repeat(100_000),
  ])('is not read from %j', (typed) => {
    expect(readTotpCode(typed)).toBeUndefined()
  })
})

describe('the drifts that are tried', () => {
  it('stay within the limit, most likely first', () => {
    expect(allDrifts).toHaveLength(21)
    expect(allDrifts.slice(0, 3).map(Math.abs)).toEqual([0, 1, 1])
    expect(Math.max(...allDrifts.map(Math.abs))).toBe(10)
    expect(getDriftsAround(3)).toEqual([3, 2, 4])
    expect(getDriftsAround(-10)).toEqual([-10, -9])
  })
})

describe('a key', () => {
  it.each([
    [rfcKey, rfcKey],
    [rfcKey.toLowerCase(), rfcKey],
    ['gezd gnbv gy3t qojq', 'GEZDGNBVGY3TQOJQ'],
    ['GEZDGNBVGY3TQOJQGE======', 'GEZDGNBVGY3TQOJQGE'],
    ['A'.repeat(16), 'A'.repeat(16)],
    ['A'.repeat(103), 'A'.repeat(103)],
  ])('is normalized from %s', (given, key) => {
    expect(readTotpKey(given)).toBe(key)
  })

  it.each([
    ['an empty text', ''],
    ['only padding', '===='],
    ['72 bits', 'A'.repeat(15)],
    ['520 bits', 'A'.repeat(104)],
    ['an impossible length', 'A'.repeat(17)],
    ['digits that base32 lacks', 'A1'.repeat(10)],
    ['padding inside', `${'A'.repeat(8)}=${'A'.repeat(8)}`],
    ['endless padding', `${'A'.repeat(16)}${'='.repeat(60_000)}`],
    ['lookalike letters', 'ſ'.repeat(16)],
    ['a link', 'otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ'],
    ['60,000 characters', 'A'.repeat(60_000)],
  ])('is rejected for %s', (_, given) => {
    expect(readTotpKey(given)).toBeUndefined()
  })
})
