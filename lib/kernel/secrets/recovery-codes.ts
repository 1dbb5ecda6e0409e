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
 * look like digits. A code of another system is compared without spaces, hyphens and case. Returns undefined if it is none of
 * them.
 */
export const findRecoveryCode = async (
  stored: readonly string[],
  typed: string,
): Promise<string | undefined> => {
  const digits = readRecoveryCode(typed)
  const other = readOtherCode(typed)
  const salts = new Set(stored.map((hash) => hash.slice(0, hash.indexOf(separator))))
  for (const salt of salts) {
    const code = isOtherSalt(salt) ? other : digits
    if (code === undefined) continue
    const found = findHash(stored, await hashWithSalt(salt, code))
    if (found !== undefined) return found
  }
  return undefined
}

/** Hashes the recovery codes that another system gave to a user. @throws RangeError for a text that is no such code */
export const hashOtherRecoveryCodes = async (
  codes: readonly string[],
): Promise<Readonly<Record<string, true>>> => {
  const salt = `${otherMark}${randomBytes(saltBytes).toString('base64url')}`
  const hashes = await Promise.all(
    codes.map((code) => {
      const text = readOtherCode(code)
      if (text === undefined) throw new RangeError('not a recovery code')
      return hashWithSalt(salt, text)
    }),
  )
  return Object.fromEntries(hashes.map((hash) => [hash, true as const]))
}

/** Whether a text can be the recovery code of another system: it is no one-time password, and takes long to guess. */
export const isOtherRecoveryCode = (text: string): boolean => readOtherCode(text) !== undefined

/** No salt of our own codes begins with it. */
const otherMark = '~'
const otherForm = /^[a-z\d]{8,64}$/

const readOtherCode = (typed: string): string | undefined => {
  if (typed.length > 128) return undefined
  const text = typed.replaceAll(/[\s-]/g, '').toLowerCase()
  return otherForm.test(text) ? text : undefined
}

/** Codes of other systems have 40 bits or more, so each guess takes longer. */
const otherIterations = 200_000

const derive = promisify(pbkdf2)
const separator = '.'
const saltBytes = 16
/**
 * A code has 80 bits, below the 112 that a fast hash requires (SP 800-63B-4, 3.1.2.2). A few milliseconds for each guess
 * are enough for so many possible codes.
 */
const iterations = 10_000

const isOtherSalt = (salt: string): boolean => salt.startsWith(otherMark)

const hashWithSalt = async (salt: string, code: string): Promise<string> => {
  const [bytes, rounds] = isOtherSalt(salt)
    ? [salt.slice(otherMark.length), otherIterations]
    : [salt, iterations]
  const hash = await derive(code, Buffer.from(bytes, 'base64url'), rounds, 32, 'sha256')
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
