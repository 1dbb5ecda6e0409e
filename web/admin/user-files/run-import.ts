import type { UserLineResult } from '../../../lib/client/generated/models.ts'
import { toBatches } from '../../../lib/features/user-files/batches.ts'
import {
  createSeenNames,
  findDuplicates,
  rememberNames,
} from '../../../lib/features/user-files/duplicates.ts'
import { type Entry, findFormat, UnreadableFile } from '../../../lib/features/user-files/import-file.ts'
import { readJsonLines } from '../../../lib/features/user-files/json-lines.ts'
import type { ApiFailure, ApiFieldError } from '../../kit/call-api.ts'
import { client } from '../../session-kit/client.ts'
import { runForEach } from '../kit/run-for-each.ts'

export interface RefusedLine {
  readonly line: number
  readonly errors: readonly ApiFieldError[]
}

/** What happened with the lines so far. */
export interface ImportProgress {
  /** The last line that was processed. */
  readonly line: number
  /** Users who were imported, or who can be in a dry run. */
  readonly imported: number
  /** Users whom an earlier import created from the same line. */
  readonly known: number
  readonly refused: readonly RefusedLine[]
  /** How much of the file was read. */
  readonly readBytes: number
}

export interface ImportEnd extends ImportProgress {
  /** Undefined if all lines were processed. */
  readonly reason?: 'stopped' | 'changed' | undefined
  /** Why the service did not take the lines. */
  readonly failure?: ApiFailure | undefined
  /** Why the rest of the file cannot be read, in English. */
  readonly problem?: string | undefined
}

interface ImportOptions {
  readonly isDryRun: boolean
  /** Lines that a dry run refused. They are not sent again. */
  readonly refused?: readonly RefusedLine[]
  readonly signal: AbortSignal
  readonly onProgress: (progress: ImportProgress) => void
  readonly onWait: (seconds: number) => void
}

/**
 * Imports a file, or checks it in a dry run. It holds one part of the file in memory and sends one after another. A line
 * that was sent before is known to the service, so a part whose answer was lost is sent again.
 */
export const runImport = async (file: File, options: ImportOptions): Promise<ImportEnd> => {
  const { refused: refusedBefore = [], signal, onProgress } = options
  const refused: RefusedLine[] = [...refusedBefore]
  const skipped = new Set(refusedBefore.map(({ line }) => line))
  const seen = createSeenNames()
  let progress = { line: 0, imported: 0, known: 0, refused, readBytes: 0 }
  let readBytes = 0
  const count = (results: readonly UserLineResult[]): void => {
    let { imported, known } = progress
    // The service compares the lines of one part. Those of different parts are compared here.
    const checked = results.map((result) => ({
      ...result,
      errors: [...result.errors, ...findDuplicates(result.names ?? {}, seen)],
    }))
    for (const { line, outcome, errors, names } of checked) {
      if (errors.length > 0) refused.push({ line, errors })
      else if (outcome === 'known') known += 1
      else imported += 1
      if (errors.length === 0 && names) rememberNames(line, names, seen)
    }
    progress = { ...progress, imported, known }
  }
  try {
    const entries = readEntries(file, (bytes) => {
      readBytes += bytes
    })
    for await (const batch of toBatches(entries)) {
      if (signal.aborted) return { ...progress, reason: 'stopped' }
      const rest = batch.filter(({ line }) => !skipped.has(line))
      const unreadable = rest.filter(({ errors }) => errors.length > 0)
      refused.push(...unreadable.map(({ line, errors }) => ({ line, errors })))
      const lines = rest.filter(({ errors }) => errors.length === 0)
      const answer = await sendLines(lines, options)
      count(answer.results)
      if (answer.failure) return { ...progress, failure: answer.failure }
      if (answer.isStopped) return { ...progress, reason: 'stopped' }
      progress = { ...progress, line: batch.at(-1)?.line ?? progress.line, readBytes }
      onProgress(progress)
    }
    return progress
  } catch (error) {
    if (error instanceof UnreadableFile) return { ...progress, problem: error.message }
    // The browser does not read a file that changed or was deleted.
    if (error instanceof DOMException) return { ...progress, reason: 'changed' }
    throw error
  } finally {
    refused.sort((a, b) => a.line - b.line)
  }
}

/** Reads a file with the code of the command line. The part for CSV is large, so it is loaded when it is needed. */
async function* readEntries(file: File, onRead: (bytes: number) => void): AsyncGenerator<Entry> {
  const chunks = readChunks(file, onRead)
  if (findFormat(file.name) !== 'csv') return yield* readJsonLines(chunks)
  const { readCsv } = await import('../../../lib/features/user-files/csv.ts')
  yield* readCsv(chunks, (columns) => columns)
}

/** Not every browser can iterate over a stream. */
async function* readChunks(file: File, onRead: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader()
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      onRead(value.length)
      yield value
    }
  } finally {
    void reader.cancel()
  }
}

interface SentLines {
  readonly results: readonly UserLineResult[]
  readonly isStopped?: boolean
  readonly failure?: ApiFailure | undefined
}

const attempts = 4
const pauseMs = 1500

const sendLines = async (
  entries: readonly Entry[],
  options: ImportOptions,
  attempt = 1,
): Promise<SentLines> => {
  if (entries.length === 0) return { results: [] }
  const { isDryRun, signal, onWait } = options
  let results: readonly UserLineResult[] = []
  const { failed, left } = await runForEach(
    [entries],
    async () => {
      const body = {
        lines: entries.map(({ fields }) => fields),
        line_numbers: entries.map(({ line }) => line),
        dry_run: isDryRun,
      }
      results = (await client.userFiles.importUsers(body)).results
    },
    { signal, onWait },
  )
  if (left.length > 0) return { results, isStopped: true }
  const failure = failed[0]?.failure
  if (!failure) return { results }
  if ((failure.status === 0 || failure.status >= 500) && attempt < attempts && !signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs * attempt))
    return sendLines(entries, options, attempt + 1)
  }
  if (failure.status !== 400) return { results, failure }
  return sendOneByOne(entries, options, failure)
}

/** A line that no body can have, such as one that is nested too deeply, must not stop the others. */
const sendOneByOne = async (
  entries: readonly Entry[],
  options: ImportOptions,
  { problem }: ApiFailure,
): Promise<SentLines> => {
  const [first] = entries
  if (first && entries.length === 1)
    return { results: [{ line: first.line, outcome: 'refused', errors: problem.errors ?? [noReason] }] }
  const results: UserLineResult[] = []
  for (const entry of entries) {
    const answer = await sendLines([entry], options)
    results.push(...answer.results)
    if (answer.failure || answer.isStopped) return { ...answer, results }
  }
  return { results }
}

const noReason = { field: 'line', message: 'cannot be read' }
