import { createHash } from 'node:crypto'
import { compare, hash } from 'bcryptjs'
import { describe, expect, it, vi } from 'vitest'
import { needsRehash, validatePasswordHash } from '../../lib/kernel/secrets/password-hashes.ts'
import { hashPassword, verifyPassword } from '../../lib/kernel/secrets/passwords.ts'

const cost = 4

/** The rounds of bcrypt so far, which take all of the time. Unlike the time, nothing else changes their number. */
const work = vi.hoisted(() => ({ rounds: 0 }))
vi.mock('bcryptjs', async (importOriginal) => {
  const bcrypt = await importOriginal<typeof import('bcryptjs')>()
  return {
    ...bcrypt,
    compare: (password: string, stored: string) => {
      // Others are refused without any work.
      if (stored.length === 60) work.rounds += 2 ** bcrypt.getRounds(stored)
      return bcrypt.compare(password, stored)
    },
  }
})

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

describe('the work to reject a password', () => {
  it('is the same for unknown users, invalid hashes, cheaper hashes, and current hashes', async () => {
    const target = 7
    const hashes = {
      unknown: undefined,
      nonsense: 'nonsense',
      imported: await hash('right', target - 2),
      'of Django': `bcrypt_sha256$${await hash('right', target - 1)}`,
      'own, outdated': await hashPassword('right', target - 3),
      own: await hashPassword('right', target),
    }
    for (const [name, stored] of Object.entries(hashes)) {
      work.rounds = 0
      expect(await verifyPassword('wrong', stored, target)).toBe(false)
      expect([name, work.rounds]).toEqual([name, 2 ** target])
    }
  })
})
