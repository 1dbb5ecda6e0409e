import {
  allocateUserIds,
  type ClaimedNames,
  type Claims,
  claimsPerCall,
  findClaims,
} from '../../accounts/names/user-claims.records.ts'
import type { FieldError } from '../../kernel/errors/errors.ts'
import { type FoundIdentity, findIdentities } from '../connections/imported-identities.records.ts'
import type { ImportedUser } from '../directory/users/import-user.ts'
import type { Importer } from './import-decision.ts'
import { decideImport, decideRejected, noClaims } from './import-decision.ts'
import type { UserToWrite, ValidatedLine } from './validate-line.ts'
import {
  finishUser,
  groupUsers,
  storeHash,
  toImportedUser,
  type UserGroup,
  type WriteResult,
  writeTogether,
  writeUser,
} from './write-user.ts'

/** What happens with a line, before new users are written. */
export interface DecidedLine {
  readonly line: ValidatedLine
  readonly result: 'known' | 'free' | readonly FieldError[]
  /** The user to write, if the line is free. */
  readonly user?: ImportedUser
}

interface DecideOptions {
  readonly isDryRun: boolean
  /** Whether names are looked up that may all be free. Those of invalid lines always are, so that a report has all errors. */
  readonly isLookingUp: boolean
}

/** Decides about lines that no earlier line of the file contradicts. Adds groups that an interrupted run did not add. */
export const decideLines = async (
  importer: Importer,
  lines: readonly ValidatedLine[],
  { isDryRun, isLookingUp }: DecideOptions,
): Promise<{ readonly decided: readonly DecidedLine[]; readonly hasTaken: boolean }> => {
  const identities = await findAllIdentities(importer, lines, isDryRun)
  // An identity that someone has can be that of the user of the line, whom an earlier run imported.
  const lookedUp = lines.filter(
    (line) => isLookingUp || !line.user || identities.get(line)?.some(({ ownerId }) => ownerId !== undefined),
  )
  const found = await findAllClaims(importer, lookedUp)
  const claims = new Map(lookedUp.map((line, at) => [line, found[at]]))
  const decided: DecidedLine[] = []
  for (const line of lines) {
    const own = identities.get(line) ?? []
    const user = line.user && toImportedUser(line.user, line, own)
    const claim = claims.get(line) ?? noClaims
    const decision = decideImport(
      { ...line, errors: [...line.errors, ...listTaken(own)] },
      claim,
      user?.origin,
    )
    const result = user && !isDryRun ? await finishUser(importer, user, claim, decision) : decision
    if (result !== 'free') decided.push({ line, result })
    else decided.push(user ? { line, result, user } : { line, result: line.errors })
  }
  return {
    decided,
    hasTaken: found.some((one) => one.username || one.email || one.skeleton || one.externalId),
  }
}

/** Finds who has the identities of each line, in as few calls as possible. A line without any is left out. */
const findAllIdentities = async (
  { services, retry }: Importer,
  lines: readonly ValidatedLine[],
  isDryRun: boolean,
): Promise<ReadonlyMap<ValidatedLine, readonly FoundIdentity[]>> => {
  const having = lines.filter(({ identities }) => identities.length > 0)
  const all = having.flatMap(({ identities }) => identities)
  const found = await retry(() => findIdentities(services.table, all, { reservesIds: !isDryRun }))
  const byLine = new Map<ValidatedLine, readonly FoundIdentity[]>()
  let at = 0
  for (const line of having) {
    byLine.set(line, found.slice(at, at + line.identities.length))
    at += line.identities.length
  }
  return byLine
}

const listTaken = (identities: readonly FoundIdentity[]): readonly FieldError[] =>
  identities.flatMap(({ ownerId }, at) =>
    ownerId === undefined
      ? []
      : [{ field: `public_identities.${at}`, message: 'is the account of another user' }],
  )

/** Gives free lines their IDs, and divides them into groups that are written together. */
export const planWrites = async (
  importer: Importer,
  decided: readonly DecidedLine[],
): Promise<readonly UserGroup[]> => {
  const fresh = decided.flatMap(({ line, user }) => (user ? [{ line, user }] : []))
  if (fresh.length === 0) return []
  const { services, retry } = importer
  const firstId = await retry(() => allocateUserIds(services.table, fresh.length))
  const users: UserToWrite[] = []
  for (const [at, { line, user }] of fresh.entries())
    users.push({ line, user: await storeHash(user), id: firstId + at })
  return groupUsers(importer, users)
}

interface WrittenUser {
  readonly user: UserToWrite
  readonly result: WriteResult
}

/**
 * Writes the users of a group in one transaction. `onRejected` is called if the table rejects it: either none of them was
 * written, or all of them were and the answer was lost. Then those whose names are free are written together again if
 * others were the reason, and else alone. So the result of each line is exact.
 */
export async function* writeGroup(
  importer: Importer,
  group: UserGroup,
  onRejected: () => void = () => {},
): AsyncGenerator<WrittenUser> {
  const { users } = group
  if (await writeTogether(importer, group)) return yield* users.map(toImported)
  if (users.length < 2) return yield* writeAlone(importer, users)
  onRejected()
  const lines = users.map(({ line }) => line)
  const claims = await findAllClaims(importer, lines)
  const free: UserToWrite[] = []
  for (const [at, user] of users.entries()) {
    const result = decideRejected(user, claims[at] ?? noClaims)
    if (result === 'free') free.push(user)
    else yield { user, result }
  }
  if (free.length === users.length) return yield* writeAlone(importer, free)
  for (const others of await groupUsers(importer, free))
    if (await writeTogether(importer, others)) yield* others.users.map(toImported)
    else yield* writeAlone(importer, others.users)
}

const toImported = (user: UserToWrite): WrittenUser => ({ user, result: 'imported' })

async function* writeAlone(importer: Importer, users: readonly UserToWrite[]): AsyncGenerator<WrittenUser> {
  for (const user of users) yield { user, result: await writeUser(importer, user) }
}

/** Finds which accounts have the names and addresses of any number of users, in parallel calls. The result has their order. */
const findAllClaims = async (
  { services, retry }: Importer,
  users: readonly ClaimedNames[],
): Promise<readonly Claims[]> => {
  const parts = Array.from({ length: Math.ceil(users.length / claimsPerCall) }, (_, at) =>
    users.slice(at * claimsPerCall, (at + 1) * claimsPerCall),
  )
  return (await Promise.all(parts.map((part) => retry(() => findClaims(services.table, part))))).flat()
}
