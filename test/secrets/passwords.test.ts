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
  it('fits its password alone, and differs each time', async () => {
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

  it('counts byte 73 and what follows, in any script', async () => {
    for (const letter of ['a', 'é', '語', '🔑']) {
      const stored = await hashPassword(`${letter.repeat(100)}1`, cost)
      expect(await verifyPassword(`${letter.repeat(100)}2`, stored, cost)).toBe(false)
      expect(await verifyPassword(`${letter.repeat(100)}1`, stored, cost)).toBe(true)
    }
  })

  it('is due for renewal when it is of another form or cost', async () => {
    expect(needsRehash(await hashPassword('x', cost), cost)).toBe(false)
    expect(needsRehash(await hashPassword('x', cost), cost + 1)).toBe(true)
    expect(needsRehash(await hash('x', cost), cost)).toBe(true)
  })
})

describe('a hash from elsewhere', () => {
  // Made with crypt(3) of glibc, of the SHA-256 in hexadecimal digits where Django has it so.
  const password = 'lètmein avec une phrase'
  it.each([
    [
      'Django, BCryptSHA256PasswordHasher',
      'bcrypt_sha256$$2b$05$Wq3kTg5ZrP0v9dYbL1mXhegnYWCbG9olC5.vZnL6j.aKlerK/.wJG',
    ],
    ['Django, BCryptPasswordHasher', 'bcrypt$$2b$05$Wq3kTg5ZrP0v9dYbL1mXhe0E3bSNjl0xk3vCC9uxX1rReLccZpQYy'],
    ['PHP', '$2y$05$Wq3kTg5ZrP0v9dYbL1mXhe0E3bSNjl0xk3vCC9uxX1rReLccZpQYy'],
  ])('of %s fits its password alone, and is due for renewal', async (_, stored) => {
    expect(validatePasswordHash(stored)).toBeUndefined()
    expect(await verifyPassword(password, stored, cost)).toBe(true)
    expect(await verifyPassword(password.normalize('NFD'), stored, cost)).toBe(true)
    expect(await verifyPassword(`${password}.`, stored, cost)).toBe(false)
    expect(needsRehash(stored, 5)).toBe(true)
  })

  it('of Django counts byte 73 and what follows', async () => {
    const long = 'x'.repeat(100)
    const stored = `bcrypt_sha256$${await hash(createHash('sha256').update(`${long}1`).digest('hex'), cost)}`
    expect(await verifyPassword(`${long}1`, stored, cost)).toBe(true)
    expect(await verifyPassword(`${long}2`, stored, cost)).toBe(false)
  })

  it('can be taken over in these forms', async () => {
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
      expect({ text, fault: validatePasswordHash(text) }).toEqual({
        text,
        fault: expect.stringMatching(/^must be a bcrypt hash/),
      })
  })

  it('that nobody could ever sign in with is refused', async () => {
    const bcryptHash = await hash('x', cost)
    // Bits to spare that are set: the salt doesn't come back as it was given.
    const damaged = `${bcryptHash.slice(0, 28)}P${bcryptHash.slice(29)}`
    expect(await compare('x', damaged)).toBe(false)
    expect(validatePasswordHash(damaged)).toMatch(/^must be a bcrypt hash/)
  })

  it('that would take minutes to check is refused', async () => {
    const bcryptHash = await hash('x', cost)
    expect(validatePasswordHash(`$2b$16${bcryptHash.slice(6)}`)).toBeUndefined()
    for (const costly of ['17', '31'])
      expect(validatePasswordHash(`bcrypt_sha256$$2b$${costly}${bcryptHash.slice(6)}`)).toBe(
        'must have a cost of at most 16',
      )
  })
})

describe('refusing takes as long', () => {
  /** Medians over interleaved tries, as a ratio to the slowest, so that a busy machine disturbs all alike. */
  const medians = async (hashes: Record<string, string | undefined>, target: number, tries: number) => {
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

  it('for an unknown user, a bad hash, imported cheaper hashes and our own', async () => {
    const target = 9
    const hashes = {
      unknown: undefined,
      nonsense: 'nonsense',
      imported: await hash('right', target - 2),
      'of Django': `bcrypt_sha256$${await hash('right', target - 1)}`,
      'own, outdated': await hashPassword('right', target - 3),
      own: await hashPassword('right', target),
    }
    // A busy machine can make equal work look unequal, but hardly unequal work look equal.
    const ratios: number[] = []
    while (ratios.length < 3 && Math.max(0, ...ratios) <= 0.75) ratios.push(await medians(hashes, target, 25))
    expect(Math.max(...ratios)).toBeGreaterThan(0.75)
  })
})
