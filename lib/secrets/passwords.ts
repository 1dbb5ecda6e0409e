import { createHash } from 'node:crypto'
import { compare, hash } from 'bcryptjs'
import { passwordMaxCost, passwordMaxLength } from '../limits/password-limits.ts'

/**
 * A stored password hash: a bcrypt hash (`$2a$`, `$2b$`, `$2y$`) after a prefix that names how the password was
 * prepared. New hashes have `bcrypt_sha384$`, the base64 of the SHA-384, so that every byte counts although bcrypt
 * reads only 72. Imported users have other schemes.
 */
export type PasswordHash = string

interface Scheme {
  readonly prefix: string
  readonly prepare: (password: string) => string
}

/**
 * Normalizes a password, because keyboards compose letters differently. A text longer than any password is wrong
 * anyway and stays as it is, because normalizing tens of thousands of accents would take long.
 */
const normalize = (password: string): string =>
  password.length > 8 * passwordMaxLength ? password : password.normalize('NFC')
const digest = (algorithm: string, encoding: 'base64' | 'hex') => (password: string) =>
  createHash(algorithm).update(normalize(password), 'utf8').digest(encoding)

const ownScheme: Scheme = { prefix: 'bcrypt_sha384$', prepare: digest('sha384', 'base64') }
const prefixedSchemes: readonly Scheme[] = [
  ownScheme,
  // Django: BCryptSHA256PasswordHasher and BCryptPasswordHasher.
  { prefix: 'bcrypt_sha256$', prepare: digest('sha256', 'hex') },
  { prefix: 'bcrypt$', prepare: normalize },
]
const plainBcrypt: Scheme = { prefix: '', prepare: normalize }

// The last characters of salt and hash have unused bits, which must be 0. Otherwise no password would ever match,
// because bcrypt encodes the salt again before it compares.
const bcryptPattern =
  /^\$2[aby]\$(0[4-9]|[12]\d|3[01])\$[./0-9A-Za-z]{21}[.Oeu][./0-9A-Za-z]{30}[.CGKOSWaeimquy26]$/

/** Hashing and checking passwords, which takes a core for a long time. */
export interface PasswordWork {
  readonly hash: (password: string, cost: number) => Promise<PasswordHash>
  readonly verify: (password: string, stored: PasswordHash | undefined, cost: number) => Promise<boolean>
}

/** Does the work in this thread. On AWS, a function has no other request in the meantime. */
export const passwordWork: PasswordWork = {
  hash: async (password, cost) => ownScheme.prefix + (await hash(ownScheme.prepare(password), cost)),
  verify: async (password, stored, cost) => {
    const { prepare, prefix } = getScheme(stored ?? '')
    const candidate = prepare(password)
    const bcryptHash = stored?.slice(prefix.length)
    const storedCost = getCost(bcryptHash)
    const isMatch = bcryptHash && storedCost ? await compare(candidate, bcryptHash) : false
    // From a stored cost a to the current cost b: 2^a + 2^a + 2^(a+1) + … + 2^(b-1) = 2^b rounds in total.
    if (!storedCost) await compare(candidate, buildUnmatchableHash(cost))
    else for (let step = storedCost; step < cost; step++) await compare(candidate, buildUnmatchableHash(step))
    return isMatch
  },
}

let currentWork = passwordWork

/** Lets other threads do the work, so that a process with many requests stays responsive. */
export const delegatePasswordWork = (work: PasswordWork): void => {
  currentWork = work
}

/** Hashes a password for storage. `cost` is the binary logarithm of the bcrypt rounds. */
export const hashPassword = (password: string, cost: number): Promise<PasswordHash> =>
  currentWork.hash(password, cost)

/**
 * Whether a password matches the stored hash. The check always takes as long as one with the current cost, also
 * without a stored hash (an unknown user) or with a cheaper one (an imported user).
 */
export const verifyPassword = (
  password: string,
  stored: PasswordHash | undefined,
  cost: number,
): Promise<boolean> => currentWork.verify(password, stored, cost)

/**
 * Whether a hash is cheaper than new hashes, or has another scheme at the same cost. The next sign-in should renew such
 * a hash. A more expensive hash stays, because a new one would be easier to attack.
 */
export const needsRehash = (stored: PasswordHash, cost: number): boolean => {
  const scheme = getScheme(stored)
  const storedCost = getCost(stored.slice(scheme.prefix.length)) ?? 0
  return storedCost < cost || (storedCost === cost && scheme !== ownScheme)
}

/** Explains why a text cannot be imported as a password hash. Returns undefined if it can. */
export const validatePasswordHash = (text: string): string | undefined => {
  const cost = getCost(text.slice(getScheme(text).prefix.length))
  if (cost === undefined) return 'must be a bcrypt hash ($2a$, $2b$, $2y$, bcrypt_sha256$ or bcrypt_sha384$)'
  return cost > passwordMaxCost ? `must have a cost of at most ${passwordMaxCost}` : undefined
}

const getScheme = (stored: PasswordHash): Scheme =>
  prefixedSchemes.find(({ prefix }) => stored.startsWith(prefix)) ?? plainBcrypt

const getCost = (bcryptHash: string | undefined): number | undefined => {
  const digits = bcryptPattern.exec(bcryptHash ?? '')?.[1]
  return digits ? Number(digits) : undefined
}

/** Builds a valid hash of no known password. A comparison with it costs as much as a real one. */
const buildUnmatchableHash = (cost: number): string =>
  `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`
