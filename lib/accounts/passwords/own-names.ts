import type { UserRecord } from '../../store/records/user-record.ts'
import { normalizeUsername } from '../common/names.ts'

/** A shorter name is in too many passwords by chance, and takes too little of one to help in guessing it. */
const shortestName = 4

/** Whether a password contains the username or the e-mail address of its user, in whatever case, or backwards. */
export const containsName = (
  password: string,
  { normalizedUsername, normalizedEmail }: Pick<UserRecord, 'normalizedUsername' | 'normalizedEmail'>,
): boolean => {
  const normalized = normalizeUsername(password)
  return [normalizedUsername, normalizedEmail]
    .map((name) => [...(name ?? '')])
    .filter(({ length }) => length >= shortestName)
    .some((name) => normalized.includes(name.join('')) || normalized.includes(name.toReversed().join('')))
}

/** The words that a password of this user may be made of, for estimating how soon it is guessed. */
export const splitWords = ({ username, email, fullName }: UserRecord): readonly string[] =>
  [username, email ?? '', fullName ?? '']
    .flatMap((name) => [name, ...name.split(/[\s@._-]+/)])
    .filter((word) => word !== '')
