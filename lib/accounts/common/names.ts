import type { FieldError } from '../../core/errors.ts'

/** A username as compared: compatibility forms and case do not make another user (`Ａdmin` is `admin`). */
export const normalizeUsername = (username: string): string => fold(username)

/** An e-mail address as compared. */
export const normalizeEmail = (email: string): string => fold(email)

/** Lower case may bring new compatibility forms about, hence twice. */
const fold = (name: string): string =>
  isEndless(name) ? name : name.normalize('NFKC').toLowerCase().normalize('NFKC').trim()

/** Longer than any name in any form: nobody's, and not worth the time that bringing it into normal form may take. */
const isEndless = (name: string): boolean => name.length > 4096

/** The table's keys hold 2,048 bytes; a name that folds to more than half of that is nobody's. */
export const fitsKey = (normalized: string): boolean => Buffer.byteLength(normalized) <= 1024

/** Why a username can't be given to a user, or undefined if it can. */
export const validateUsername = (username: string): string | undefined => {
  // The blank of Braille is a symbol, but nothing to be seen.
  if (/[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u.test(username))
    return 'must not hold control or invisible characters'
  if (username !== username.trim()) return 'must not begin or end with white space'
  if (normalizeUsername(username) === '') return 'must hold a visible character'
  return fitsKey(normalizeUsername(username)) ? undefined : 'is too long'
}

/** The same for what a group or a user template is called. */
export const validateNames = (name: string): readonly FieldError[] => {
  const message = validateUsername(name)
  return message === undefined ? [] : [{ field: 'name', message }]
}

/** Why a text can't be a user's e-mail address, or undefined if it can. One plain address, no name, no list. */
export const validateEmail = (email: string): string | undefined =>
  /^[^\s\p{C}@,;:<>()[\]"\\]+@[^\s\p{C}@,;:<>()[\]"\\.]+(\.[^\s\p{C}@,;:<>()[\]"\\.]+)*$/u.test(email) &&
  fitsKey(normalizeEmail(email))
    ? undefined
    : 'must be one e-mail address such as name@example.com'
