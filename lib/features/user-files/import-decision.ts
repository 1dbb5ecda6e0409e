import type { RequestContext } from '../../accounts/callers/request-context.ts'
import type { Claims } from '../../accounts/names/user-claims.records.ts'
import type { FieldError } from '../../kernel/errors/errors.ts'
import type { Services } from '../../services.ts'
import { findDuplicates, type LineNames, rememberNames, type SeenNames } from './duplicates.ts'
import { formatIdentity } from './identity-lines.ts'
import type { UserToWrite, ValidatedLine } from './validate-line.ts'

/** What an import works with. */
export interface Importer {
  readonly services: Services
  /** For the audit events. */
  readonly context: RequestContext
  /** Repeats a call that DynamoDB throttles. A command can wait longer than a request. */
  readonly retry: <T>(call: () => Promise<T>) => Promise<T>
}

/** What no other line and no other user may have, in the forms in which it is compared. */
export const getLineNames = (
  line: ValidatedLine,
): LineNames & { public_identities?: string[] | undefined } => ({
  username: line.normalizedUsername,
  email: line.normalizedEmail,
  skeleton: line.normalizedSkeleton,
  external_id: line.externalId && `${line.externalId.source} ${line.externalId.id}`,
  public_identities: line.identities.length > 0 ? line.identities.map(formatIdentity) : undefined,
})

/** Adds an error to a line that repeats the username or email address of an earlier valid line. */
export const checkDuplicates = (line: ValidatedLine, seen: SeenNames): ValidatedLine => {
  const names = getLineNames(line)
  const duplicates = findDuplicates(names, seen)
  if (line.errors.length > 0 || duplicates.length > 0)
    return { ...line, errors: [...line.errors, ...duplicates], user: undefined }
  rememberNames(line.line, names, seen)
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
