import type { FieldError } from '../../lib/core/errors.ts'
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
  const { normalizedUsername, normalizedEmail } = line
  const names = { username: normalizedUsername, email: normalizedEmail }
  const faults = (['username', 'email'] as const).flatMap((field): FieldError[] => {
    const name = names[field]
    const first = name === undefined ? undefined : claimed[field].find(name)
    return first === undefined ? [] : [{ field, message: `is that of line ${first} too` }]
  })
  if (line.faults.length > 0 || faults.length > 0)
    return { ...line, faults: [...line.faults, ...faults], user: undefined }
  if (normalizedUsername !== undefined) claimed.username.note(normalizedUsername, line.line)
  if (normalizedEmail !== undefined) claimed.email.note(normalizedEmail, line.line)
  return line
}

export const noClaims: Claims = { username: undefined, email: undefined }

/** Whether a line is in already, can be let in as far as others go, or why not. */
export const verdictOf = (
  { faults, user }: JudgedLine,
  { username, email }: Claims,
  origin: string | undefined,
): 'known' | 'free' | readonly FieldError[] => {
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
