import { createHash, createHmac } from 'node:crypto'
import { compare, hash } from 'bcryptjs'
import { passwordMaxCost, passwordMaxLength, wrappingCost } from '../limits/password-limits.ts'
import { readForeignForm } from './foreign-forms.ts'
import {
  findForeignProblem,
  matchesForeignHash,
  readForeignHash,
  readForeignScheme,
} from './foreign-hashes.ts'

/**
 * A stored password hash: a bcrypt hash (`$2a$`, `$2b$`, `$2y$`) after a prefix that names how the password was
 * prepared. New hashes have `bcrypt_sha384$`, the base64 of the SHA-384, so that every byte counts although bcrypt
 * reads only 72. Imported users have other schemes, or hashes of other systems: strong ones as they are, and weak ones below
 * our own hash, after `wrapped$`.
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
  // WordPress since 6.8.
  {
    prefix: '$wp',
    prepare: (password) =>
      createHmac('sha384', 'wp-sha384').update(normalize(password).trim(), 'utf8').digest('base64'),
  },
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

/** Does the work in this thread. */
export const passwordWork: PasswordWork = {
  hash: async (password, cost) => ownScheme.prefix + (await hash(ownScheme.prepare(password), cost)),
  verify: async (password, stored, cost) => {
    const check = openForeign(stored ?? '')
    if (check) return checkForeign(password, check, cost)
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

const wrappedPrefix = 'wrapped$'

/** Reads our hash over a weak one of another system. */
const readWrapped = (stored: PasswordHash) => {
  if (!stored.startsWith(wrappedPrefix)) return undefined
  const scheme = readForeignScheme(stored.slice(wrappedPrefix.length))
  return scheme && { scheme, bcryptHash: stored.slice(wrappedPrefix.length + scheme.text.length) }
}

/** Whether a password matches, for a hash of another system. */
type ForeignCheck = (password: string) => Promise<boolean>

const openForeign = (stored: PasswordHash): ForeignCheck | undefined => {
  const foreign = readForeignHash(stored)
  if (foreign) return (password) => matchesForeignHash(foreign, password)
  const wrapped = readWrapped(stored)
  return (
    wrapped &&
    (async (password) => {
      const digest = await wrapped.scheme.derive(password)
      return compare(ownScheme.prepare(digest.toString('hex')), wrapped.bcryptHash)
    })
  )
}

/** A small part of a check with the current cost, as the binary logarithm of how many there are. */
const smallParts = 5

/**
 * Checks a hash of another system, and takes as long as a check with the current cost. How much of that is left is measured
 * in the same moment with small parts of such a check, because machines differ in what they are fast at.
 */
const checkForeign = async (password: string, matches: ForeignCheck, cost: number): Promise<boolean> => {
  const start = performance.now()
  const text = normalize(password)
  // Other systems repeat a whole password thousands of times. One that cannot be right is replaced by a short one.
  const isPossible = text !== '' && text.length <= passwordMaxLength
  const isMatch = await matches(isPossible ? text : '-')
  const end = performance.now()
  const step = Math.max(4, cost - smallParts)
  let parts = 0
  let partMs: number
  do {
    await compare('', buildUnmatchableHash(step))
    parts++
    partMs = (performance.now() - end) / parts
  } while (end - start + partMs * (parts + 0.5) < partMs * 2 ** (cost - step))
  return isMatch && isPossible
}

/**
 * Whether a hash is cheaper than new hashes, or has another scheme at the same cost. The next sign-in should renew such
 * a hash. A more expensive hash of bcrypt stays, because a new one would be easier to attack.
 */
export const needsRehash = (stored: PasswordHash, cost: number): boolean => {
  if (openForeign(stored)) return true
  const scheme = getScheme(stored)
  const storedCost = getCost(stored.slice(scheme.prefix.length)) ?? 0
  return storedCost < cost || (storedCost === cost && scheme !== ownScheme)
}

/** Explains why a text cannot be imported as a password hash. Returns undefined if it can. */
export const validatePasswordHash = (text: string): string | undefined => {
  const foreign = readForeignForm(text)
  if (foreign) return 'problem' in foreign ? foreign.problem : undefined
  if (text.startsWith(wrappedPrefix)) return validateWrapped(text)
  const cost = getCost(text.slice(getScheme(text).prefix.length))
  if (cost === undefined)
    return 'must be a bcrypt hash ($2a$, $2b$, $2y$, bcrypt_sha256$ or bcrypt_sha384$), or one of the other forms in the docs'
  return cost > passwordMaxCost ? `must have a cost of at most ${passwordMaxCost}` : undefined
}

const validateWrapped = (text: string): string | undefined => {
  const wrapped = readWrapped(text)
  const problem = findForeignProblem(text.slice(wrappedPrefix.length))
  return problem ?? (wrapped && getCost(wrapped.bcryptHash) ? undefined : 'must be an exported hash')
}

/**
 * Returns the form in which a valid hash is stored. A weak hash of another system is hashed once more, because anyone who steals
 * the table could find its passwords quickly.
 */
export const toStoredHash = async (text: string): Promise<PasswordHash> => {
  const form = readForeignForm(text)
  if (!form || 'problem' in form) return text
  const foreign = readForeignHash(form.stored)
  if (!foreign?.isWeak) return form.stored
  const inner = await hash(ownScheme.prepare(foreign.digest.toString('hex')), wrappingCost)
  return `${wrappedPrefix}${foreign.text}${inner}`
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
