import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Crockford's base 32: no letter in it looks like a digit. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const length = 16
const groups = /.{4}/g

/**
 * Makes a code with 80 random bits, in groups for copying it by hand: `7gk2-9m0x-…`. `value` is to be shown once and
 * forgotten.
 */
export const mintRecoveryCode = (userId: number): { readonly value: string; readonly hash: string } => {
  // 32 divides 256, so that every digit is as likely as any other.
  const digits = [...randomBytes(length)].map((byte) => alphabet.charAt(byte % alphabet.length)).join('')
  return { value: (digits.match(groups) ?? []).join('-'), hash: hashOf(userId, digits) }
}

/**
 * The hash of a recovery code as somebody typed it: in groups or not, of whatever case, with the letters that people
 * write for digits. It is all that is stored. Undefined for what can't be such a code.
 */
export const hashRecoveryCode = (userId: number, typed: string): string | undefined => {
  const digits = readRecoveryCode(typed)
  return digits && hashOf(userId, digits)
}

/** Nobody tries 2^80 codes, so it needs no slow hash; the user's id is its salt. */
const hashOf = (userId: number, digits: string): string =>
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

/** The stored hash that equals this one. Takes as long wherever they begin to differ. */
export const findHash = (stored: readonly string[], hash: string): string | undefined => {
  const given = Buffer.from(hash)
  const [found] = stored.filter((one) => {
    const other = Buffer.from(one)
    return other.length === given.length && timingSafeEqual(other, given)
  })
  return found
}
