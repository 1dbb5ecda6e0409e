import type { FieldError } from '../../core/errors.ts'
import { groupsPerUser } from '../../core/limits.ts'
import { validateEmail, validateUsername } from '../common/names.ts'

/** What of a user has rules beyond its form; what isn't given isn't judged. */
interface JudgedFields {
  readonly username?: string | undefined
  readonly email?: string | null | undefined
  readonly groups?: readonly number[] | undefined
}

/** Those of the groups that exist. */
type FindGroups = (ids: readonly number[]) => Promise<readonly { readonly id: number }[]>

/** Why these can't be the name, the address and the groups of a user: every reason, none when they can. */
export const validateUser = async (
  { username, email, groups }: JudgedFields,
  findGroups: FindGroups,
): Promise<readonly FieldError[]> => {
  const checks: readonly (readonly [string, string | undefined])[] = [
    ['username', username === undefined ? undefined : validateUsername(username)],
    ['email', email ? validateEmail(email) : undefined],
    ['groups', groups && (await groupsFault(groups, findGroups))],
  ]
  return checks.flatMap(([field, message]) => (message === undefined ? [] : [{ field, message }]))
}

const groupsFault = async (ids: readonly number[], findGroups: FindGroups): Promise<string | undefined> => {
  if (ids.length > groupsPerUser) return `must be at most ${groupsPerUser} entries long`
  const known = new Set((await findGroups(ids)).map(({ id }) => id))
  const missing = ids.filter((id) => !known.has(id))
  return missing.length > 0 ? `names groups that don't exist: ${missing.join(', ')}` : undefined
}
