import type { FieldError } from '../../lib/errors/errors.ts'
import type { Claims } from '../../lib/store/directory/user-claims.ts'
import type { UserToWrite, ValidatedLine } from './validate-line.ts'

/** The usernames and email addresses of the file so far, each with the first valid line that has it. */
export interface SeenInFile {
  readonly username: Map<string, number>
  readonly email: Map<string, number>
  /** The looks of the usernames. */
  readonly skeleton: Map<string, number>
  /** The IDs in other systems, with their source. */
  readonly external_id: Map<string, number>
}

/** Adds an error to a line that repeats the username or email address of an earlier valid line. */
export const checkDuplicates = (line: ValidatedLine, seen: SeenInFile): ValidatedLine => {
  const names = {
    username: line.normalizedUsername,
    email: line.normalizedEmail,
    skeleton: line.normalizedSkeleton,
    external_id: line.externalId && `${line.externalId.source} ${line.externalId.id}`,
  }
  const fields = ['username', 'email', 'skeleton', 'external_id'] as const
  const find = (field: (typeof fields)[number]) => seen[field].get(names[field] ?? '')
  const repeated = (['username', 'email', 'external_id'] as const).flatMap((field): FieldError[] =>
    find(field) === undefined ? [] : [{ field, message: `is the same as on line ${find(field)}` }],
  )
  const isLookalike = find('skeleton') !== undefined && find('username') === undefined
  const duplicates = isLookalike
    ? [...repeated, { field: 'username', message: `looks like the name on line ${find('skeleton')}` }]
    : repeated
  if (line.errors.length > 0 || duplicates.length > 0)
    return { ...line, errors: [...line.errors, ...duplicates], user: undefined }
  for (const field of fields) {
    const name = names[field]
    if (name !== undefined) seen[field].set(name, line.line)
  }
  return line
}

export const noClaims: Claims = {
  username: undefined,
  email: undefined,
  skeleton: undefined,
  externalId: undefined,
}

/** Decides what happens with a line: an earlier run imported it, it can be imported, or the errors apply. */
export const decideImport = (
  { errors, user }: ValidatedLine,
  { username, email, skeleton, externalId }: Claims,
  origin: string | undefined,
): 'known' | 'free' | readonly FieldError[] => {
  // Users who were renamed since are known by their ID in the other system.
  const isKnown = [username, externalId].some(
    (claim) => claim?.origin !== undefined && claim.origin === origin,
  )
  if (user && isKnown) return 'known'
  const all = [
    ...errors,
    ...(username ? [{ field: 'username', message: describeTakenName(username.origin) }] : []),
    ...(skeleton && !username ? [{ field: 'username', message: lookalikeRule }] : []),
    ...(email ? [{ field: 'email', message: 'is the address of another user' }] : []),
    ...(externalId ? [{ field: 'external_id', message: 'is the ID of another user' }] : []),
  ]
  return all.length === 0 ? 'free' : all
}

/**
 * Decides what happens with a line whose write was rejected. If its name belongs to `id`, which no one else ever gets, an
 * earlier attempt was committed although its answer was lost.
 */
export const decideRejected = (
  { line, user, id }: UserToWrite,
  claims: Claims,
): 'imported' | ReturnType<typeof decideImport> =>
  claims.username?.userId === id ? 'imported' : decideImport(line, claims, user.origin)

/** Completes "The field …" for a name that another user's name looks like. */
export const lookalikeRule = 'looks like the name of another user'

const describeTakenName = (origin: string | undefined): string =>
  origin === undefined
    ? 'is the name of another user'
    : 'is the name of a user who was imported from a different line'
