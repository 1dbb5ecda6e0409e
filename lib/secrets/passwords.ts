import { createHash } from 'node:crypto'
import { compare, hash } from 'bcryptjs'

/**
 * A password hash as stored: ours (`bcrypt_sha384$` before a bcrypt hash of the base64 of the SHA-384 of the
 * password, so that every byte counts although bcrypt reads 72), or a bare bcrypt hash of an imported user
 * (`$2a$`, `$2b$`, `$2y$`).
 */
export type PasswordHash = string

const ownPrefix = 'bcrypt_sha384$'
const bcryptPattern = /^\$2[aby]\$(0[4-9]|[12]\d|3[01])\$[./0-9A-Za-z]{53}$/

/** Hashes a password for storing; `cost` is bcrypt's, a power of two of rounds. */
export const hashPassword = async (password: string, cost: number): Promise<PasswordHash> =>
  ownPrefix + (await hash(preHash(password), cost))

/**
 * Tells whether the password is the stored one. Takes as long whether it is or not, and as long without a stored
 * hash (an unknown user) or with a cheaper one (an imported user) as with one of the current cost.
 */
export const verifyPassword = async (
  password: string,
  stored: PasswordHash | undefined,
  cost: number,
): Promise<boolean> => {
  const own = stored?.startsWith(ownPrefix) ?? false
  const candidate = own ? preHash(password) : password.normalize('NFC')
  const bcryptHash = own ? stored?.slice(ownPrefix.length) : stored
  const storedCost = costOf(bcryptHash)
  const right = bcryptHash && storedCost ? await compare(candidate, bcryptHash) : false
  // 2^a + 2^a + 2^(a+1) + … + 2^(b-1) = 2^b rounds in all, wherever the stored cost a begins.
  if (!storedCost) await compare(candidate, unmatchableHash(cost))
  else for (let step = storedCost; step < cost; step++) await compare(candidate, unmatchableHash(step))
  return right
}

/** Whether a hash is of another form or cost than new ones are, so that the next sign-in should renew it. */
export const needsRehash = (stored: PasswordHash, cost: number): boolean =>
  !stored.startsWith(ownPrefix) || costOf(stored.slice(ownPrefix.length)) !== cost

/** Whether a text is a bcrypt hash that can be taken over from elsewhere. */
export const isBcryptHash = (text: string): boolean => bcryptPattern.test(text)

const preHash = (password: string): string =>
  createHash('sha384').update(password.normalize('NFC'), 'utf8').digest('base64')

const costOf = (bcryptHash: string | undefined): number | undefined => {
  const digits = bcryptPattern.exec(bcryptHash ?? '')?.[1]
  return digits ? Number(digits) : undefined
}

/** A well-formed hash of no known password: comparing with it costs what a real comparison costs. */
const unmatchableHash = (cost: number): string => `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`
