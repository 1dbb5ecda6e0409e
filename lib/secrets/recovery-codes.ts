import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { recoveryCodesPerUser } from '../core/limits.ts'

/** Crockford's base 32, in which no letter looks like a digit. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const length = 16
const groups = /.{4}/g

/**
 * Creates a code with 80 random bits, in groups that are easy to copy by hand: `7gk2-9m0x-…`. Show `value` once and
 * never store it.
 */
export const mintRecoveryCode = (userId: number): { readonly value: string; readonly hash: string } => {
  // 32 divides 256, so every digit is equally likely.
  const digits = [...randomBytes(length)].map((byte) => alphabet.charAt(byte % alphabet.length)).join('')
  return { value: (digits.match(groups) ?? []).join('-'), hash: hashDigits(userId, digits) }
}

/** All recovery codes of a user: the values to show once, and the hashes to store. */
export interface NewRecoveryCodes {
  readonly values: readonly string[]
  readonly stored: Readonly<Record<string, true>>
}

export const mintRecoveryCodes = (userId: number): NewRecoveryCodes => {
  const codes = Array.from({ length: recoveryCodesPerUser }, () => mintRecoveryCode(userId))
  return {
    values: codes.map(({ value }) => value),
    stored: Object.fromEntries(codes.map(({ hash }) => [hash, true as const])),
  }
}

/**
 * Hashes a recovery code that a user typed: with or without groups, in any case, and with letters that look like
 * digits. Only this hash is stored. Returns undefined if the text cannot be a recovery code.
 */
export const hashRecoveryCode = (userId: number, typed: string): string | undefined => {
  const digits = readRecoveryCode(typed)
  return digits && hashDigits(userId, digits)
}

/** With 2^80 possible codes, no slow hash is necessary. The ID of the user is the salt. */
const hashDigits = (userId: number, digits: string): string =>
  createHash('sha256').update(`recovery-code#${userId}#${digits}`).digest('base64url')

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
export const findHash = (stored: readonly string[], hash: string): string | undefined => {
  const given = Buffer.from(hash)
  const [found] = stored.filter((one) => {
    const other = Buffer.from(one)
    return other.length === given.length && timingSafeEqual(other, given)
  })
  return found
}
