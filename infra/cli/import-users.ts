import { randomUUID } from 'node:crypto'
import type { ImportedUser } from '../../lib/accounts/directory/import-user.ts'
import type { FieldError } from '../../lib/core/errors.ts'
import type { Services } from '../../lib/services.ts'
import { allocateUserIds, claimsPerCall, findClaims } from '../../lib/store/directory/user-claims.ts'
import type { Entry } from './entries.ts'
import { firstLines } from './first-lines.ts'
import { groupFinder } from './group-finder.ts'
import { startPool } from './pool.ts'
import type { Report } from './report.ts'
import { retryThrottled } from './retry-throttled.ts'
import { type JudgedLine, judgeLine } from './user-line.ts'
import { noClaims, verdictOf, withFileFaults } from './verdict.ts'
import { importedUser, writeUser } from './write-user.ts'

/** What has become of the lines so far. */
export interface ImportCounts {
  /** The last line that was looked at. */
  line: number
  /** Let in; of a dry run, those that could be. */
  imported: number
  /** Let in by an earlier run. */
  known: number
  refused: number
}

export interface ImportOptions {
  readonly services: Services
  readonly report: Report
  readonly isDryRun: boolean
  /** Ends it after the lines under way. */
  readonly signal: AbortSignal
  readonly onProgress: (counts: Readonly<ImportCounts>) => void
}

/** Users that are written at a time: more than a few dozen only wait for one another. */
const parallelWrites = 16

/** Lets in every line that can be, and reports the others. Lines of an earlier run are known by what they say. */
export const importUsers = async (
  entries: AsyncIterable<Entry>,
  { services, report, isDryRun, signal, onProgress }: ImportOptions,
): Promise<ImportCounts> => {
  const counts: ImportCounts = { line: 0, imported: 0, known: 0, refused: 0 }
  const pool = startPool(parallelWrites)
  const claimed = { username: firstLines(), email: firstLines() }
  const runId = `import-${randomUUID()}`

  const refuse = async (line: number, faults: readonly FieldError[]) => {
    counts.refused += 1
    await report.add(line, faults)
  }
  const write = async (line: JudgedLine, user: ImportedUser, id: number) => {
    const verdict = await writeUser(services, line, user, id, runId)
    if (verdict === 'imported') counts.imported += 1
    else if (verdict === 'known') counts.known += 1
    else await refuse(line.line, verdict)
  }

  try {
    for await (const batch of batches(judged(entries, services), claimsPerCall)) {
      if (signal.aborted) break
      const lines = batch.map((line) => withFileFaults(line, claimed))
      const claims = await retryThrottled(() => findClaims(services.table, lines))
      const fresh: { line: JudgedLine; user: ImportedUser }[] = []
      for (const [at, line] of lines.entries()) {
        const user = line.user && importedUser(line.user, line.groups)
        const verdict = verdictOf(line, claims[at] ?? noClaims, user?.origin)
        if (verdict === 'known') counts.known += 1
        else if (verdict === 'free' && user) fresh.push({ line, user })
        else await refuse(line.line, verdict === 'free' ? line.faults : verdict)
      }
      if (isDryRun) counts.imported += fresh.length
      else if (fresh.length > 0) {
        const firstId = await retryThrottled(() => allocateUserIds(services.table, fresh.length))
        for (const [at, { line, user }] of fresh.entries())
          await pool.add(() => write(line, user, firstId + at))
      }
      counts.line = lines.at(-1)?.line ?? counts.line
      onProgress(counts)
    }
  } finally {
    await pool.drain()
  }
  onProgress(counts)
  return counts
}

async function* judged(entries: AsyncIterable<Entry>, { table }: Services): AsyncGenerator<JudgedLine> {
  const groups = groupFinder(table)
  for await (const entry of entries) yield await judgeLine(entry, groups)
}

/** Should the items end in an error, what came before is a batch, too. */
async function* batches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<readonly T[]> {
  let batch: T[] = []
  try {
    for await (const item of items) {
      batch.push(item)
      if (batch.length < size) continue
      yield batch
      batch = []
    }
  } catch (error) {
    if (batch.length > 0) yield batch
    throw error
  }
  if (batch.length > 0) yield batch
}
