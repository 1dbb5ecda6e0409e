import { randomUUID } from 'node:crypto'
import type { RequestContext } from '../../lib/accounts/common/request-context.ts'
import type { ImportedUser } from '../../lib/accounts/directory/import-user.ts'
import type { FieldError } from '../../lib/errors/errors.ts'
import type { Services } from '../../lib/services.ts'
import { findUserAttributes } from '../../lib/store/directory/user-attributes.ts'
import {
  allocateUserIds,
  type ClaimedNames,
  type Claims,
  claimsPerCall,
  findClaims,
} from '../../lib/store/directory/user-claims.ts'
import type { Table } from '../../lib/store/engine/table.ts'
import type { Entry } from '../entry.ts'
import { retryThrottled, startPool } from '../pool.ts'
import type { Report } from '../report.ts'
import { createGroupFinder, type GroupFinder } from './group-finder.ts'
import {
  checkDuplicates,
  decideImport,
  decideRejected,
  noClaims,
  type SeenInFile,
} from './import-decision.ts'
import { type LineRules, type UserToWrite, type ValidatedLine, validateLine } from './validate-line.ts'
import {
  createImportContext,
  finishUser,
  groupUsers,
  storeHash,
  toImportedUser,
  type UserGroup,
  type WriteResult,
  writeTogether,
  writeUser,
} from './write-user.ts'

/** The results of the lines so far. */
export interface ImportCounts {
  /** The last line that was processed. */
  line: number
  /** Imported users. In a dry run: users that could be imported. */
  imported: number
  /** Users that an earlier run imported. */
  known: number
  refused: number
}

interface ImportOptions {
  readonly services: Services
  readonly report: Report
  readonly isDryRun: boolean
  /** Finds the groups of lines. Default: those in the table. */
  readonly groupFinder?: GroupFinder
  /** Ends the import after the lines in progress. */
  readonly signal: AbortSignal
  readonly onProgress: (counts: Readonly<ImportCounts>) => void
}

/** Transactions at the same time, each with up to 16 users. More would only wait for each other. */
const parallelWrites = 6
/** Lines that are looked up and grouped together. So most transactions are full. */
const linesPerBatch = 200

/** Imports all valid lines and reports the others. Skips lines that an earlier run has imported. */
export const importUsers = async (
  entries: AsyncIterable<Entry>,
  { services, report, isDryRun, groupFinder, signal, onProgress }: ImportOptions,
): Promise<ImportCounts> => {
  const counts: ImportCounts = { line: 0, imported: 0, known: 0, refused: 0 }
  const pool = startPool(parallelWrites)
  const seen: SeenInFile = {
    username: new Map(),
    email: new Map(),
    skeleton: new Map(),
    external_id: new Map(),
  }
  const runId = `import-${randomUUID()}`
  const rules = {
    config: services.config,
    groupFinder: groupFinder ?? createGroupFinder(services.table),
    definitions: await retryThrottled(() => findUserAttributes(services.table)),
  }

  const refuse = async (line: number, errors: readonly FieldError[]) => {
    counts.refused += 1
    await report.add(line, errors)
  }
  // Looking up names that are all free costs a third of the time. If they turn out to be taken, the table rejects the write.
  let looksUp = true
  const write = async (group: UserGroup, context: RequestContext) => {
    const startLookingUp = () => {
      looksUp = true
    }
    for await (const { user, result } of writeGroup(services, group, context, startLookingUp)) {
      if (result === 'imported') counts.imported += 1
      else if (result === 'known') counts.known += 1
      else await refuse(user.line.line, result)
    }
  }

  try {
    for await (const validated of batch(validateLines(entries, rules), linesPerBatch)) {
      if (signal.aborted) break
      const lines = validated.map((line) => checkDuplicates(line, seen))
      // The report has all errors of an invalid line.
      const isLookingUp = looksUp || isDryRun
      const lookedUp = lines.filter(({ user }) => isLookingUp || !user)
      const found = await findAllClaims(services.table, lookedUp)
      const claims = new Map(lookedUp.map((line, at) => [line, found[at]]))
      if (isLookingUp)
        looksUp = found.some((one) => one.username || one.email || one.skeleton || one.externalId)
      const fresh: { line: ValidatedLine; user: ImportedUser }[] = []
      for (const line of lines) {
        const user = line.user && toImportedUser(line.user, line)
        const claim = claims.get(line) ?? noClaims
        const decision = decideImport(line, claim, user?.origin)
        const result = user && !isDryRun ? await finishUser(services, user, claim, decision) : decision
        if (result === 'known') counts.known += 1
        else if (result === 'free' && user) fresh.push({ line, user })
        else await refuse(line.line, result === 'free' ? line.errors : result)
      }
      if (isDryRun) counts.imported += fresh.length
      else if (fresh.length > 0) {
        const firstId = await retryThrottled(() => allocateUserIds(services.table, fresh.length))
        const users: UserToWrite[] = []
        for (const [at, { line, user }] of fresh.entries())
          users.push({ line, user: await storeHash(user), id: firstId + at })
        const context = createImportContext(services, runId)
        for (const group of await groupUsers(services, users, context))
          await pool.add(() => write(group, context))
      }
      counts.line = lines.at(-1)?.line ?? counts.line
      onProgress(counts)
    }
  } finally {
    await pool.drain().finally(() => {
      // After an error, users who were written before it belong to the summary.
      if (counts.imported + counts.known + counts.refused > 0) onProgress(counts)
    })
  }
  onProgress(counts)
  return counts
}

async function* validateLines(
  entries: AsyncIterable<Entry>,
  rules: LineRules,
): AsyncGenerator<ValidatedLine> {
  for await (const entry of entries) yield await validateLine(entry, rules)
}

/** Groups items. If they end with an error, the items before it are a batch as well. */
async function* batch<T>(source: AsyncIterable<T>, size: number): AsyncGenerator<readonly T[]> {
  let items: T[] = []
  try {
    for await (const item of source) {
      items.push(item)
      if (items.length < size) continue
      yield items
      items = []
    }
  } catch (error) {
    if (items.length > 0) yield items
    throw error
  }
  if (items.length > 0) yield items
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
async function* writeGroup(
  services: Services,
  group: UserGroup,
  context: RequestContext,
  onRejected: () => void,
): AsyncGenerator<WrittenUser> {
  const { users } = group
  if (await writeTogether(services, group)) return yield* users.map(toImported)
  if (users.length < 2) return yield* writeAlone(services, users, context)
  onRejected()
  const lines = users.map(({ line }) => line)
  const claims = await findAllClaims(services.table, lines)
  const free: UserToWrite[] = []
  for (const [at, user] of users.entries()) {
    const result = decideRejected(user, claims[at] ?? noClaims)
    if (result === 'free') free.push(user)
    else yield { user, result }
  }
  if (free.length === users.length) return yield* writeAlone(services, free, context)
  for (const others of await groupUsers(services, free, context))
    if (await writeTogether(services, others)) yield* others.users.map(toImported)
    else yield* writeAlone(services, others.users, context)
}

const toImported = (user: UserToWrite): WrittenUser => ({ user, result: 'imported' })

async function* writeAlone(
  services: Services,
  users: readonly UserToWrite[],
  context: RequestContext,
): AsyncGenerator<WrittenUser> {
  for (const user of users) yield { user, result: await writeUser(services, user, context) }
}

/** Finds which accounts have the names and addresses of any number of users, in parallel calls. The result has their order. */
const findAllClaims = async (table: Table, users: readonly ClaimedNames[]): Promise<readonly Claims[]> => {
  const parts = Array.from({ length: Math.ceil(users.length / claimsPerCall) }, (_, at) =>
    users.slice(at * claimsPerCall, (at + 1) * claimsPerCall),
  )
  return (await Promise.all(parts.map((part) => retryThrottled(() => findClaims(table, part))))).flat()
}
