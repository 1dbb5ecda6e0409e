import {
  blankRule,
  emailAddressRule,
  hasInvisible,
  invisibleRule,
  isEmailAddress,
} from '../../kernel/contract/text-rules.ts'
import type { FieldError } from '../../kernel/errors/errors.ts'
import type { Table } from '../../kernel/table/table.ts'
import { findUser, findUserIdByEmail, findUserIdByUsername } from '../users/find-users.records.ts'
import type { UserRecord } from '../users/stored-user.records.ts'

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

/**
 * Returns the name of a failed attempt as an audit event may store it, or undefined if it must not be stored. People
 * enter their password into the field for the name now and then. So of unknown names, only email addresses and short
 * names without digits in between are stored. `isKnown` says that a user has this name.
 */
export const describeTriedUsername = (
  entered: string,
  { isKnown }: { readonly isKnown: boolean },
): string | undefined => {
  const name = normalizeUsername(entered)
    .replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '')
    .slice(0, longestName)
  return name !== '' && (isKnown || isEmailAddress(name) || plainName.test(name)) ? name : undefined
}

const longestName = 100

/** Words of letters, with up to two digits at the end, such as `j.smith2`. Shorter than a password has to be. */
const plainName = /^(?=.{1,14}$)\p{L}+(?:[._-]\p{L}+)*\d{0,2}$/u

/**
 * Finds a user by email address or username. The owner of an address takes precedence, because a username may look like
 * an email address without being the address of its user.
 */
export const findUserByName = async (table: Table, name: string): Promise<UserRecord | undefined> => {
  const id =
    (await findId(normalizeEmail(name), (email) => findUserIdByEmail(table, email))) ??
    (await findId(normalizeUsername(name), (username) => findUserIdByUsername(table, username)))
  return id === undefined ? undefined : findUser(table, id)
}

/** Looks up nothing for a text that cannot be a name. */
export const findId = async (
  normalized: string,
  find: (normalized: string) => Promise<number | undefined>,
): Promise<number | undefined> => (normalized !== '' && fitsKey(normalized) ? find(normalized) : undefined)
