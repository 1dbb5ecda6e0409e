import { normalizeUsername } from '../../accounts/names/names.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'

/** Shorter names occur in many passwords by chance, and help little in guessing them. */
const minNameLength = 4

/** Whether a password contains the user's username or email address, in any case, or backwards. */
export const containsName = (
  password: string,
  { normalizedUsername, normalizedEmail }: Pick<UserRecord, 'normalizedUsername' | 'normalizedEmail'>,
): boolean => {
  const normalized = normalizeUsername(password)
  return [normalizedUsername, normalizedEmail]
    .map((name) => [...(name ?? '')])
    .filter(({ length }) => length >= minNameLength)
    .some((name) => normalized.includes(name.join('')) || normalized.includes(name.toReversed().join('')))
}

/** The words from a user's names, which an attacker would try first. */
export const splitWords = ({ username, email, full_name: fullName }: UserRecord): readonly string[] =>
  [username, email ?? '', fullName ?? '']
    .flatMap((name) => [name, ...name.split(/[\s@._-]+/)])
    .filter((word) => word !== '')
