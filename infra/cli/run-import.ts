import { shownPath } from '../local/greeting.ts'
import type { Command } from './arguments.ts'
import { readCsv } from './csv.ts'
import { exitCodes } from './failure.ts'
import { type ImportCounts, importUsers } from './import-users.ts'
import { type Input, openInput } from './input.ts'
import { readJsonLines } from './json-lines.ts'
import { openPlace } from './place.ts'
import { number, startProgress } from './progress.ts'
import { openReport, type Report } from './report.ts'
import { lineFields } from './user-line.ts'

type ImportCommand = Extract<Command, { name: 'import' }>

/** Imports a file and says what has become of it, also when it ends before its time. Returns the exit code. */
export const runImport = async (command: ImportCommand, signal: AbortSignal): Promise<number> => {
  const input = await openInput(command.file)
  try {
    const report = await openReport(command.report, input.identity)
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
  const place = await openPlace({ table, whenNew: isDryRun ? 'pretend' : 'make' })
  const progress = startProgress(input.sizeBytes)
  const startedAt = performance.now()
  let counts: Readonly<ImportCounts> | undefined
  try {
    const { refused } = await importUsers(entriesOf(input), {
      services: place.services,
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
    if (counts) process.stdout.write(summary(command, counts, performance.now() - startedAt, signal.aborted))
    await place.close()
  }
}

const entriesOf = (input: Input) =>
  input.format === 'csv' ? readCsv(input.chunks(), lineFields) : readJsonLines(input.chunks())

const summary = (
  { isDryRun, report }: ImportCommand,
  { line, imported, known, refused }: ImportCounts,
  durationMs: number,
  isInterrupted: boolean,
): string => {
  const seconds = Math.max(durationMs, 1) / 1000
  const speed = imported > 0 ? ` in ${seconds.toFixed(1)} s (${number(imported / seconds)} a second)` : ''
  const lines = [
    isDryRun
      ? `${users(imported)} could be imported; nothing was written.`
      : `${users(imported)} imported${speed}.`,
    known > 0 ? `${users(known)} had been imported before.` : '',
    refused > 0 ? `${number(refused)} ${refused === 1 ? 'line' : 'lines'} refused, for the reasons in` : '',
    refused > 0 ? `  ${shownPath(report)}` : '',
    isInterrupted ? `Interrupted after line ${number(line)}: the same again goes on there.` : '',
  ]
  return `${lines.filter((text) => text !== '').join('\n')}\n`
}

const users = (count: number): string => `${number(count)} ${count === 1 ? 'user' : 'users'}`
