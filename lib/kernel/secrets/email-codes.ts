import { createHash, randomBytes, randomInt } from 'node:crypto'

const digits = 8

/** A request for a code. `value` belongs to the browser that asked. Everything else follows from it. */
export interface EmailCodeRequest {
  readonly value: string
  /** Finds the stored code. */
  readonly hash: string
  /** Goes into the hash of the code. It is not stored with that hash, so a copy of the table does not reveal the code. */
  readonly salt: string
}

const digest = (purpose: string, text: string): string =>
  createHash('sha256').update(`email-code#${purpose}#${text}`).digest('base64url')

/** Creates a request with 192 random bits. */
export const mintEmailCodeRequest = (): EmailCodeRequest =>
  deriveEmailCodeRequest(randomBytes(24).toString('base64url'))

export const deriveEmailCodeRequest = (value: string): EmailCodeRequest => ({
  value,
  hash: digest('request', value),
  salt: digest('salt', value),
})

/** Creates a code of eight digits. */
export const mintEmailCode = (): string => String(randomInt(10 ** digits)).padStart(digits, '0')

/** Hashes a code that a user typed, with or without spaces. Undefined if the text cannot be a code. */
export const hashEmailCode = (salt: string, typed: string): string | undefined => {
  const code = typed.length > 4 * digits ? '' : typed.replaceAll(/[\s-]/g, '')
  return /^\d{8}$/.test(code) ? digest('code', `${salt}#${code}`) : undefined
}
