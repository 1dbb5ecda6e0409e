import type { FieldError } from '../../errors/errors.ts'
import { groupsPerUser } from '../../limits/limits.ts'
import type { Config } from '../../settings/config.ts'
import { validateEmail, validateUsername } from '../common/names.ts'
import { hasMixedScripts } from '../common/scripts.ts'

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

/**
 * Returns what is wrong with a username that is new. Stored names can be older than this rule, so it does not apply to a
 * name that stays.
 */
export const validateNewUsername = (
  { allowMixedScripts }: Pick<Config, 'allowMixedScripts'>,
  username: string,
): readonly FieldError[] =>
  !allowMixedScripts && hasMixedScripts(username)
    ? [{ field: 'username', message: 'must not mix letters of different scripts' }]
    : []

const validateGroups = async (
  ids: readonly number[],
  findGroups: FindGroups,
): Promise<string | undefined> => {
  if (ids.length > groupsPerUser) return `must be at most ${groupsPerUser} entries long`
  const known = new Set((await findGroups(ids)).map(({ id }) => id))
  const missing = ids.filter((id) => !known.has(id))
  return missing.length > 0 ? `contains unknown group IDs: ${missing.join(', ')}` : undefined
}
