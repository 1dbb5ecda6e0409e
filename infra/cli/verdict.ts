import type { Fault } from '../../lib/core/errors.ts'
import type { Claims } from '../../lib/store/directory/user-claims.ts'
import type { FirstLines } from './first-lines.ts'
import type { JudgedLine } from './user-line.ts'

/** Which lines of the file were the first with a name, or an address. */
export interface ClaimedInFile {
  readonly username: FirstLines
  readonly email: FirstLines
}

/** Of lines with the same name or address, the first one in which nothing else is wrong has it. */
export const withFileFaults = (line: JudgedLine, claimed: ClaimedInFile): JudgedLine => {
  const { foldedUsername, foldedEmail } = line
  const names = { username: foldedUsername, email: foldedEmail }
  const faults = (['username', 'email'] as const).flatMap((field): Fault[] => {
    const name = names[field]
    const first = name === undefined ? undefined : claimed[field].find(name)
    return first === undefined ? [] : [{ field, message: `is that of line ${first} too` }]
  })
  if (line.faults.length > 0 || faults.length > 0)
    return { ...line, faults: [...line.faults, ...faults], user: undefined }
  if (foldedUsername !== undefined) claimed.username.note(foldedUsername, line.line)
  if (foldedEmail !== undefined) claimed.email.note(foldedEmail, line.line)
  return line
}

export const noClaims: Claims = { username: undefined, email: undefined }

/** Whether a line is in already, can be let in as far as others go, or why not. */
export const verdictOf = (
  { faults, user }: JudgedLine,
  { username, email }: Claims,
  origin: string | undefined,
): 'known' | 'free' | readonly Fault[] => {
  if (user && username?.origin !== undefined && username.origin === origin) return 'known'
  const all = [
    ...faults,
    ...(username ? [{ field: 'username', message: usernameSentence(username.origin) }] : []),
    ...(email ? [{ field: 'email', message: 'is the address of another user' }] : []),
  ]
  return all.length === 0 ? 'free' : all
}

const usernameSentence = (origin: string | undefined): string =>
  origin === undefined
    ? 'is the name of another user'
    : 'is the name of a user who was imported from a line that says something else'
