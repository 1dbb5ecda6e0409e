import {
  blankRule,
  emailAddressRule,
  hasInvisible,
  invisibleRule,
  isEmailAddress,
} from '../../contract/text-rules.ts'
import type { FieldError } from '../../errors/errors.ts'

/** The form in which usernames are compared. Compatibility forms and case make no difference: `Ａdmin` is `admin`. */
export const normalizeUsername = (username: string): string => normalize(username)

/** The form in which email addresses are compared. */
export const normalizeEmail = (email: string): string => normalize(email)

/** Lower case may create new compatibility forms, so NFKC is applied twice. */
const normalize = (name: string): string =>
  name.length > longestNormalized ? name : name.normalize('NFKC').toLowerCase().normalize('NFKC').trim()

/** Longer than any stored name in any form. Normalizing a longer text could take a long time. */
const longestNormalized = 4096

/** Whether a normalized name is short enough for a table key. A key has at most 2,048 bytes. */
export const fitsKey = (normalized: string): boolean => Buffer.byteLength(normalized) <= 1024

/** Returns what is wrong with a username, or undefined when it is valid. */
export const validateUsername = (username: string): string | undefined => {
  if (hasInvisible(username)) return invisibleRule
  if (username !== username.trim()) return 'must not start or end with whitespace'
  if (normalizeUsername(username) === '') return blankRule
  return fitsKey(normalizeUsername(username)) ? undefined : 'is too long'
}

/** Applies the rules for usernames to the `name` field of a group, template or provider. */
export const validateNameField = (name: string): readonly FieldError[] => {
  const message = validateUsername(name)
  return message === undefined ? [] : [{ field: 'name', message }]
}

/** Returns what is wrong with a user's email address, or undefined when it is valid. */
export const validateEmail = (email: string): string | undefined =>
  isEmailAddress(email) && fitsKey(normalizeEmail(email)) ? undefined : emailAddressRule
