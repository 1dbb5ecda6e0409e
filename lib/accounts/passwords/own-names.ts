import type { UserRecord } from '../../store/records/user-record.ts'
import { foldUsername } from '../common/names.ts'

/** A shorter name is in too many passwords by chance, and takes too little of one to help in guessing it. */
const shortestName = 4

/** Whether a password contains the username or the e-mail address of its user, in whatever case, or backwards. */
export const holdsName = (
  password: string,
  { foldedUsername, foldedEmail }: Pick<UserRecord, 'foldedUsername' | 'foldedEmail'>,
): boolean => {
  const folded = foldUsername(password)
  return [foldedUsername, foldedEmail]
    .map((name) => [...(name ?? '')])
    .filter(({ length }) => length >= shortestName)
    .some((name) => folded.includes(name.join('')) || folded.includes(name.toReversed().join('')))
}

/** The words that a password of this user may be made of, for estimating how soon it is guessed. */
export const wordsOf = ({ username, email, fullName }: UserRecord): readonly string[] =>
  [username, email ?? '', fullName ?? '']
    .flatMap((name) => [name, ...name.split(/[\s@._-]+/)])
    .filter((word) => word !== '')
