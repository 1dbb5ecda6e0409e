import { hash } from 'bcryptjs'
import { describe, expect, it } from 'vitest'
import { hashPassword, isBcryptHash, needsRehash, verifyPassword } from '../../lib/secrets/passwords.ts'

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

  it('is recognised among other texts', async () => {
    expect(isBcryptHash(await hash('x', cost))).toBe(true)
    for (const text of [
      '',
      '$2b$12$',
      `$2x$12$${'a'.repeat(53)}`,
      `$2b$32$${'a'.repeat(53)}`,
      `$2b$12$${'a'.repeat(54)}`,
    ])
      expect(isBcryptHash(text)).toBe(false)
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

  it('for an unknown user, a bad hash, an imported cheaper hash and our own', async () => {
    const target = 9
    const ratio = await medians(
      {
        unknown: undefined,
        nonsense: 'nonsense',
        imported: await hash('right', target - 2),
        'own, outdated': await hashPassword('right', target - 3),
        own: await hashPassword('right', target),
      },
      target,
      25,
    )
    expect(ratio).toBeGreaterThan(0.75)
  })
})
