import type { Entry } from '../../lib/features/user-files/import-file.ts'
import { readJsonLines } from '../../lib/features/user-files/json-lines.ts'
import { shortenPath } from '../../local/banner.ts'
import { exitCodes } from '../exit-codes.ts'
import { type Input, openInput } from '../input.ts'
import { formatNumber, startProgress } from '../progress.ts'
import { openReport, type Report } from '../report.ts'
import type { UsersCommand } from './command.ts'
import { openTarget } from './import-target.ts'
import { type ImportCounts, importUsers } from './import-users.ts'
import { readCsvFile } from './read-file.ts'

type ImportCommand = Extract<UsersCommand, { name: 'import' }>

/** Imports a file and prints a summary, also after an interruption or error. Returns the exit code. */
export const runImport = async (command: ImportCommand, signal: AbortSignal): Promise<number> => {
  const input = await openInput(command.file)
  try {
    const report = await openReport(command.report, input.id)
    try {
      return await importInto(command, input, report, signal)
    } finally {
      await report.close()
    }
  } finally {
    await input.close()
  }
}

const importInto = async (
  command: ImportCommand,
  input: Input,
  report: Report,
  signal: AbortSignal,
): Promise<number> => {
  const { table, isDryRun } = command
  const target = await openTarget({ table, whenNew: isDryRun ? 'simulate' : 'create' })
  const progress = startProgress(input.sizeBytes)
  const startedAt = performance.now()
  let counts: Readonly<ImportCounts> | undefined
  const encoding = { isOther: false }
  try {
    const { refused } = await importUsers(watchEncoding(readEntries(input), encoding), {
      services: target.services,
      report,
      isDryRun,
      signal,
      onProgress: (now) => {
        counts = now
        progress.show(now, input.readBytes())
      },
    })
    if (signal.aborted) return exitCodes.interrupted
    return refused > 0 ? exitCodes.someRefused : exitCodes.done
  } finally {
    progress.end()
    if (counts)
      process.stdout.write(
        summarize(command, counts, {
          durationMs: performance.now() - startedAt,
          isInterrupted: signal.aborted,
        }) + (encoding.isOther ? otherEncoding : ''),
      )
    await target.close()
  }
}

const readEntries = (input: Input) =>
  input.format === 'csv' ? readCsvFile(input.chunks(), (columns) => columns) : readJsonLines(input.chunks())

const otherEncoding =
  'The file is not encoded as UTF-8. Save it as UTF-8, and run the command again for the other lines.\n'

/** Notes whether lines are refused for their encoding, because one advice corrects all of them. */
async function* watchEncoding(
  entries: AsyncIterable<Entry>,
  encoding: { isOther: boolean },
): AsyncGenerator<Entry> {
  for await (const entry of entries) {
    encoding.isOther ||= entry.errors.some(({ message }) => message === 'is not valid UTF-8')
    yield entry
  }
}

/** How an import ended. */
export interface ImportEnd {
  readonly durationMs: number
  readonly isInterrupted: boolean
}

/** Says how an import ended. */
export const summarize = (
  { isDryRun, report }: Pick<ImportCommand, 'isDryRun' | 'report'>,
  { line, imported, known, refused }: ImportCounts,
  { durationMs, isInterrupted }: ImportEnd,
): string => {
  const seconds = Math.max(durationMs, 1) / 1000
  const speed =
    imported > 0 ? ` in ${seconds.toFixed(1)} s (${formatNumber(imported / seconds)} a second)` : ''
  const lines = [
    isDryRun
      ? `${countUsers(imported)} could be imported; nothing was written.`
      : `${countUsers(imported)} imported${speed}.`,
    known > 0 ? `${countUsers(known)} had been imported before.` : '',
    refused > 0
      ? `${formatNumber(refused)} ${refused === 1 ? 'line' : 'lines'} refused. See the reasons in`
      : '',
    refused > 0 ? `  ${shortenPath(report)}` : '',
    isInterrupted
      ? `Interrupted after line ${formatNumber(line)}. Run the same command again to resume.`
      : '',
  ]
  return `${lines.filter((text) => text !== '').join('\n')}\n`
}

export const countUsers = (count: number): string =>
  `${formatNumber(count)} ${count === 1 ? 'user' : 'users'}`
