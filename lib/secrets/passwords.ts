import { createHash } from 'node:crypto'
import { compare, hash } from 'bcryptjs'
import { passwordMaxLength } from '../core/limits.ts'

/**
 * A password hash as stored: a bcrypt hash (`$2a$`, `$2b$`, `$2y$`) after the name of what was done to the password
 * before. Ours is `bcrypt_sha384$`, the base64 of its SHA-384, so that every byte counts although bcrypt reads 72;
 * others are of users that were imported.
 */
export type PasswordHash = string

interface Scheme {
  readonly prefix: string
  readonly prepare: (password: string) => string
}

/**
 * The password in normal form, so that it doesn't matter how a keyboard composes letters. A text that is longer than
 * any password in any form is wrong as it is: tens of thousands of accents would take long to bring into order.
 */
const plain = (password: string): string =>
  password.length > 8 * passwordMaxLength ? password : password.normalize('NFC')
const digested = (algorithm: string, encoding: 'base64' | 'hex') => (password: string) =>
  createHash(algorithm).update(plain(password), 'utf8').digest(encoding)

const own: Scheme = { prefix: 'bcrypt_sha384$', prepare: digested('sha384', 'base64') }
const prefixed: readonly Scheme[] = [
  own,
  // Django: BCryptSHA256PasswordHasher and BCryptPasswordHasher.
  { prefix: 'bcrypt_sha256$', prepare: digested('sha256', 'hex') },
  { prefix: 'bcrypt$', prepare: plain },
]
const bare: Scheme = { prefix: '', prepare: plain }

// The last digits of salt and hash have bits to spare. Where these are not 0, no password ever fits: bcrypt writes
// the salt anew before it compares.
const bcryptPattern =
  /^\$2[aby]\$(0[4-9]|[12]\d|3[01])\$[./0-9A-Za-z]{21}[.Oeu][./0-9A-Za-z]{30}[.CGKOSWaeimquy26]$/

/** Hashes a password for storing; `cost` is bcrypt's, a power of two of rounds. */
export const hashPassword = async (password: string, cost: number): Promise<PasswordHash> =>
  own.prefix + (await hash(own.prepare(password), cost))

/**
 * Tells whether the password is the stored one. Takes as long whether it is or not, and as long without a stored
 * hash (an unknown user) or with a cheaper one (an imported user) as with one of the current cost.
 */
export const verifyPassword = async (
  password: string,
  stored: PasswordHash | undefined,
  cost: number,
): Promise<boolean> => {
  const { prepare, prefix } = schemeOf(stored ?? '')
  const candidate = prepare(password)
  const bcryptHash = stored?.slice(prefix.length)
  const storedCost = costOf(bcryptHash)
  const right = bcryptHash && storedCost ? await compare(candidate, bcryptHash) : false
  // 2^a + 2^a + 2^(a+1) + … + 2^(b-1) = 2^b rounds in all, wherever the stored cost a begins.
  if (!storedCost) await compare(candidate, unmatchableHash(cost))
  else for (let step = storedCost; step < cost; step++) await compare(candidate, unmatchableHash(step))
  return right
}

/** Whether a hash is of another form or cost than new ones are, so that the next sign-in should renew it. */
export const needsRehash = (stored: PasswordHash, cost: number): boolean =>
  schemeOf(stored) !== own || costOf(stored.slice(own.prefix.length)) !== cost

/** A hash above this takes seconds to check, or, made up, days: each try at it would be an attack. */
const costliest = 16

/** Why a text can't be taken over as somebody's password hash, or undefined if it can. */
export const validatePasswordHash = (text: string): string | undefined => {
  const cost = costOf(text.slice(schemeOf(text).prefix.length))
  if (cost === undefined) return 'must be a bcrypt hash ($2a$, $2b$, $2y$, bcrypt_sha256$ or bcrypt_sha384$)'
  return cost > costliest ? `must have a cost of at most ${costliest}` : undefined
}

const schemeOf = (stored: PasswordHash): Scheme =>
  prefixed.find(({ prefix }) => stored.startsWith(prefix)) ?? bare

const costOf = (bcryptHash: string | undefined): number | undefined => {
  const digits = bcryptPattern.exec(bcryptHash ?? '')?.[1]
  return digits ? Number(digits) : undefined
}

/** A well-formed hash of no known password: comparing with it costs what a real comparison costs. */
const unmatchableHash = (cost: number): string => `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`
