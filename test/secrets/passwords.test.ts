import { createHash } from 'node:crypto'
import { compare, hash } from 'bcryptjs'
import { describe, expect, it } from 'vitest'
import {
  hashPassword,
  needsRehash,
  validatePasswordHash,
  verifyPassword,
} from '../../lib/secrets/passwords.ts'

const cost = 4

describe('a password hash', () => {
  it('matches only its password and differs each time', async () => {
    const [first, second] = [
      await hashPassword('correct horse', cost),
      await hashPassword('correct horse', cost),
    ]
    expect(first).toMatch(/^bcrypt_sha384\$\$2b\$04\$/)
    expect(first).not.toBe(second)
    expect(await verifyPassword('correct horse', first, cost)).toBe(true)
    expect(await verifyPassword('correct horsf', first, cost)).toBe(false)
    expect(await verifyPassword('', first, cost)).toBe(false)
  })

  it('covers byte 73 and all following bytes in any script', async () => {
    for (const letter of ['a', 'é', '語', '🔑']) {
      const stored = await hashPassword(`${letter.repeat(100)}1`, cost)
      expect(await verifyPassword(`${letter.repeat(100)}2`, stored, cost)).toBe(false)
      expect(await verifyPassword(`${letter.repeat(100)}1`, stored, cost)).toBe(true)
    }
  })

  it('needs a rehash if its scheme or cost is not current', async () => {
    expect(needsRehash(await hashPassword('x', cost), cost)).toBe(false)
    expect(needsRehash(await hashPassword('x', cost), cost + 1)).toBe(true)
    expect(needsRehash(await hash('x', cost), cost)).toBe(true)
  })

  it('keeps a higher cost than the current one, in each scheme', async () => {
    expect(needsRehash(await hashPassword('x', cost + 1), cost)).toBe(false)
    expect(needsRehash(await hash('x', cost + 1), cost)).toBe(false)
    expect(needsRehash(`bcrypt_sha256$${await hash('x', cost + 1)}`, cost)).toBe(false)
  })
})

describe('a hash of another system', () => {
  // Created with crypt(3) of glibc. For Django's SHA-256 scheme, the input is the hexadecimal digest.
  const password = 'lètmein avec une phrase'
  it.each([
    [
      'Django, BCryptSHA256PasswordHasher',
      'bcrypt_sha256$$2b$05$Wq3kTg5ZrP0v9dYbL1mXhegnYWCbG9olC5.vZnL6j.aKlerK/.wJG',
    ],
    ['Django, BCryptPasswordHasher', 'bcrypt$$2b$05$Wq3kTg5ZrP0v9dYbL1mXhe0E3bSNjl0xk3vCC9uxX1rReLccZpQYy'],
    ['PHP', '$2y$05$Wq3kTg5ZrP0v9dYbL1mXhe0E3bSNjl0xk3vCC9uxX1rReLccZpQYy'],
  ])('of %s matches only its password and needs a rehash', async (_, stored) => {
    expect(validatePasswordHash(stored)).toBeUndefined()
    expect(await verifyPassword(password, stored, cost)).toBe(true)
    expect(await verifyPassword(password.normalize('NFD'), stored, cost)).toBe(true)
    expect(await verifyPassword(`${password}.`, stored, cost)).toBe(false)
    expect(needsRehash(stored, 5)).toBe(true)
  })

  it('of Django covers byte 73 and all following bytes', async () => {
    const long = 'x'.repeat(100)
    const stored = `bcrypt_sha256$${await hash(createHash('sha256').update(`${long}1`).digest('hex'), cost)}`
    expect(await verifyPassword(`${long}1`, stored, cost)).toBe(true)
    expect(await verifyPassword(`${long}2`, stored, cost)).toBe(false)
  })

  it('can be imported with each supported scheme', async () => {
    const bcryptHash = await hash('x', cost)
    for (const prefix of ['', 'bcrypt$', 'bcrypt_sha256$', 'bcrypt_sha384$'])
      expect(validatePasswordHash(prefix + bcryptHash)).toBeUndefined()
    for (const text of [
      '',
      'plain',
      '$2b$12$',
      `$2x${bcryptHash.slice(3)}`,
      `$2b$03${bcryptHash.slice(6)}`,
      `$2b$32${bcryptHash.slice(6)}`,
      `${bcryptHash}.`,
      `${bcryptHash}\n`,
      ` ${bcryptHash}`,
      `bcrypt_sha512$${bcryptHash}`,
      `bcrypt_sha256$bcrypt_sha256$${bcryptHash}`,
    ])
      expect({ text, error: validatePasswordHash(text) }).toEqual({
        text,
        error: expect.stringMatching(/^must be a bcrypt hash/),
      })
  })

  it('is rejected if no password can match it', async () => {
    const bcryptHash = await hash('x', cost)
    // One unused bit of the salt is set, so bcrypt encodes the salt differently.
    const damaged = `${bcryptHash.slice(0, 28)}P${bcryptHash.slice(29)}`
    expect(await compare('x', damaged)).toBe(false)
    expect(validatePasswordHash(damaged)).toMatch(/^must be a bcrypt hash/)
  })

  it('is rejected if checking it would take seconds', async () => {
    const bcryptHash = await hash('x', cost)
    expect(validatePasswordHash(`$2b$14${bcryptHash.slice(6)}`)).toBeUndefined()
    for (const cost of ['15', '16', '31'])
      expect(validatePasswordHash(`bcrypt_sha256$$2b$${cost}${bcryptHash.slice(6)}`)).toBe(
        'must have a cost of at most 14',
      )
  })
})

describe('the time to reject a password', () => {
  /** Returns the ratio of the fastest to the slowest median. Attempts are interleaved, so load affects all alike. */
  const measureRatio = async (hashes: Record<string, string | undefined>, target: number, tries: number) => {
    const times: Record<string, number[]> = Object.fromEntries(Object.keys(hashes).map((name) => [name, []]))
    for (let round = 0; round < tries; round++)
      for (const [name, stored] of Object.entries(hashes)) {
        const start = performance.now()
        expect(await verifyPassword('wrong', stored, target)).toBe(false)
        times[name]?.push(performance.now() - start)
      }
    const sorted = Object.values(times).map((list) => list.sort((a, b) => a - b)[Math.floor(tries / 2)] ?? 0)
    return Math.min(...sorted) / Math.max(...sorted)
  }

  it('is equal for unknown users, invalid hashes, cheaper hashes, and current hashes', async () => {
    const target = 7
    const hashes = {
      unknown: undefined,
      nonsense: 'nonsense',
      imported: await hash('right', target - 2),
      'of Django': `bcrypt_sha256$${await hash('right', target - 1)}`,
      'own, outdated': await hashPassword('right', target - 3),
      own: await hashPassword('right', target),
    }
    // A busy machine can make equal work look unequal, but hardly ever the other way round.
    const ratios: number[] = []
    while (ratios.length < 12 && Math.max(0, ...ratios) <= 0.75)
      ratios.push(await measureRatio(hashes, target, 25))
    expect(Math.max(...ratios)).toBeGreaterThan(0.75)
  })
})
