import { pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { recoveryCodesPerUser } from '../limits/limits.ts'

/** Crockford's base 32, in which no letter looks like a digit. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const length = 16
const groups = /.{4}/g

/**
 * Creates a code with 80 random bits, in groups that are easy to copy by hand: `7gk2-9m0x-…`. Show it once and never
 * store it.
 */
export const mintRecoveryCode = (): string => {
  // 32 divides 256, so every digit is equally likely.
  const digits = [...randomBytes(length)].map((byte) => alphabet.charAt(byte % alphabet.length)).join('')
  return (digits.match(groups) ?? []).join('-')
}

/** All recovery codes of a user: the values to show once, and the hashes to store. */
export interface NewRecoveryCodes {
  readonly values: readonly string[]
  readonly stored: Readonly<Record<string, true>>
}

/** Creates the recovery codes of a user. All hashes have the same salt, so that a check hashes once. */
export const mintRecoveryCodes = async (): Promise<NewRecoveryCodes> => {
  const salt = randomBytes(saltBytes).toString('base64url')
  const values = Array.from({ length: recoveryCodesPerUser }, mintRecoveryCode)
  const hashes = await Promise.all(values.map((value) => hashWithSalt(salt, value.replaceAll('-', ''))))
  return { values, stored: Object.fromEntries(hashes.map((hash) => [hash, true as const])) }
}

/**
 * Finds the stored hash of a recovery code that a user typed: with or without groups, in any case, and with letters that
 * look like digits. Returns undefined if it is none of them.
 */
export const findRecoveryCode = async (
  stored: readonly string[],
  typed: string,
): Promise<string | undefined> => {
  const digits = readRecoveryCode(typed)
  if (digits === undefined) return undefined
  const salts = new Set(stored.map((hash) => hash.slice(0, hash.indexOf(separator))))
  for (const salt of salts) {
    const found = findHash(stored, await hashWithSalt(salt, digits))
    if (found !== undefined) return found
  }
  return undefined
}

const derive = promisify(pbkdf2)
const separator = '.'
const saltBytes = 16
/**
 * A code has 80 bits, below the 112 that a fast hash requires (SP 800-63B-4, 3.1.2.2). A few milliseconds for each guess
 * are enough for so many possible codes.
 */
const iterations = 10_000

const hashWithSalt = async (salt: string, digits: string): Promise<string> => {
  const hash = await derive(digits, Buffer.from(salt, 'base64url'), iterations, 32, 'sha256')
  return `${salt}${separator}${hash.toString('base64url')}`
}

const readRecoveryCode = (typed: string): string | undefined => {
  if (typed.length > 4 * length) return undefined
  const digits = typed
    .replaceAll(/[\s-]/g, '')
    .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1')
  return digits.length === length && [...digits].every((digit) => alphabet.includes(digit))
    ? digits
    : undefined
}

/** Finds a hash among stored ones. The time does not depend on where they differ. */
const findHash = (stored: readonly string[], hash: string): string | undefined => {
  const given = Buffer.from(hash)
  const [found] = stored.filter((one) => {
    const other = Buffer.from(one)
    return other.length === given.length && timingSafeEqual(other, given)
  })
  return found
}
