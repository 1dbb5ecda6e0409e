import { randomUUID } from 'node:crypto'
import { buildCommandContext, type RequestContext } from '../../lib/accounts/callers/request-context.ts'
import { findUserAttributes } from '../../lib/accounts/users/attributes.records.ts'
import { batch } from '../../lib/features/user-files/batches.ts'
import { createSeenNames } from '../../lib/features/user-files/duplicates.ts'
import { createGroupFinder, type GroupFinder } from '../../lib/features/user-files/group-finder.ts'
import { decideLines, planWrites, writeGroup } from '../../lib/features/user-files/import-batch.ts'
import { checkDuplicates, type Importer } from '../../lib/features/user-files/import-decision.ts'
import type { Entry } from '../../lib/features/user-files/import-file.ts'
import {
  type LineRules,
  type ValidatedLine,
  validateLine,
} from '../../lib/features/user-files/validate-line.ts'
import type { UserGroup } from '../../lib/features/user-files/write-user.ts'
import type { FieldError } from '../../lib/kernel/errors/errors.ts'
import type { Services } from '../../lib/services.ts'
import { retryThrottled, startPool } from '../pool.ts'
import type { Report } from '../report.ts'

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
  const seen = createSeenNames()
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
  const startLookingUp = () => {
    looksUp = true
  }
  const write = async (importer: Importer, group: UserGroup) => {
    for await (const { user, result } of writeGroup(importer, group, startLookingUp)) {
      if (result === 'imported') counts.imported += 1
      else if (result === 'known') counts.known += 1
      else await refuse(user.line.line, result)
    }
  }

  try {
    for await (const validated of batch(validateLines(entries, rules), { most: linesPerBatch })) {
      if (signal.aborted) break
      const importer = { services, context: createImportContext(services, runId), retry: retryThrottled }
      const lines = validated.map((line) => checkDuplicates(line, seen))
      const isLookingUp = looksUp || isDryRun
      const { decided, hasTaken } = await decideLines(importer, lines, { isDryRun, isLookingUp })
      if (isLookingUp) looksUp = hasTaken
      for (const { line, result } of decided)
        if (result === 'known') counts.known += 1
        else if (result !== 'free') await refuse(line.line, result)
        else if (isDryRun) counts.imported += 1
      if (!isDryRun)
        for (const group of await planWrites(importer, decided)) await pool.add(() => write(importer, group))
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

/** The context of the audit events of an import. */
export const createImportContext = (services: Services, requestId: string): RequestContext =>
  buildCommandContext(services.now(), requestId)
