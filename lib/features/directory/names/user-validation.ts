import { normalizeUsername, validateEmail, validateUsername } from '../../../accounts/names/names.ts'
import type { FieldError } from '../../../kernel/errors/errors.ts'
import { groupsPerUser } from '../../../kernel/limits/limits.ts'
import type { Config } from '../../../kernel/settings/config.ts'
import { hasMixedScripts } from './scripts.ts'

/** The fields of a user with rules beyond their schema. Omitted fields are not validated. */
interface ValidatedFields {
  readonly username?: string | undefined
  readonly email?: string | null | undefined
  readonly groups?: readonly number[] | undefined
}

/** Returns those of the groups that exist. */
type FindGroups = (ids: readonly number[]) => Promise<readonly { readonly id: number }[]>

/** Returns all that is wrong with the username, the email address and the groups of a user. */
export const validateUser = async (
  { username, email, groups }: ValidatedFields,
  findGroups: FindGroups,
): Promise<readonly FieldError[]> => {
  const checks: readonly (readonly [string, string | undefined])[] = [
    ['username', username === undefined ? undefined : validateUsername(username)],
    ['email', email ? validateEmail(email) : undefined],
    ['groups', groups && (await validateGroups(groups, findGroups))],
  ]
  return checks.flatMap(([field, message]) => (message === undefined ? [] : [{ field, message }]))
}

/** The address that a new username may be. */
interface NamedAddress {
  readonly normalizedEmail: string | null
  /** Whether it is verified, or vouched for. */
  readonly isVerified: boolean
}

/**
 * Returns what is wrong with a username that is new. A username with an `@` looks like an address, so it must be that of
 * this very user. Stored names can be older than these rules, and an address can change later, so they do not apply to a name
 * that stays.
 */
export const validateNewUsername = (
  { allowMixedScripts }: Pick<Config, 'allowMixedScripts'>,
  username: string,
  address: NamedAddress,
): readonly FieldError[] => [
  ...(!allowMixedScripts && hasMixedScripts(username)
    ? [{ field: 'username', message: 'must not mix letters of different scripts' }]
    : []),
  ...(isNameFor(username, address) ? [] : [{ field: 'username', message: foreignAddressRule }]),
]

/** Whether a username has no `@`, or is a verified address of its user. */
export const isNameFor = (username: string, { normalizedEmail, isVerified }: NamedAddress): boolean => {
  const name = normalizeUsername(username)
  return !name.includes('@') || (isVerified && name === normalizedEmail)
}

/** Letters of any language, with the marks that some need, and digits. With a suffix, a name is longer than what a provider may send. */
const plainName = /^[\p{L}\p{M}\p{Nd}._-]{1,64}$/u

/**
 * Whether a stranger may get this name: when they sign up, or from a provider for everybody. It is plain, or their own verified
 * address. Others, such as administrators and companies, choose names for people whom they know.
 */
export const isPublicName = (username: string, address: NamedAddress): boolean =>
  plainName.test(username) || (username.includes('@') && isNameFor(username, address))

const foreignAddressRule = 'must have no @, unless it is the verified email address of this user'

const validateGroups = async (
  ids: readonly number[],
  findGroups: FindGroups,
): Promise<string | undefined> => {
  if (ids.length > groupsPerUser) return `must be at most ${groupsPerUser} entries long`
  const known = new Set((await findGroups(ids)).map(({ id }) => id))
  const missing = ids.filter((id) => !known.has(id))
  return missing.length > 0 ? `contains unknown group IDs: ${missing.join(', ')}` : undefined
}
