import type { Entry } from '../../lib/features/user-files/import-file.ts'
import { readJsonLines } from '../../lib/features/user-files/json-lines.ts'
import type { Services } from '../../lib/services.ts'
import { shortenPath } from '../../local/banner.ts'
import { exitCodes } from '../exit-codes.ts'
import { type Input, openInput } from '../input.ts'
import { formatNumber } from '../progress.ts'
import { openReport } from '../report.ts'
import { openTarget } from '../users/import-target.ts'
import type { ImportEnd } from '../users/run-import.ts'
import type { OrganizationsCommand } from './command.ts'
import { type ImportCounts, importOrganizations } from './import-organizations.ts'
import { type LeftBehind, readExport } from './read-export.ts'
import { readGroups } from './read-groups.ts'

type ImportCommand = Extract<OrganizationsCommand, { name: 'import' }>

/** Imports a file and prints a summary, also after an interruption. Returns the exit code. */
export const runImport = async (command: ImportCommand, signal: AbortSignal): Promise<number> => {
  // Exports of other systems are one JSON value, or its pages.
  const isDocument = command.from !== undefined && command.from !== 'groups'
  const input = await openInput(command.file, 'json-lines', { isDocument })
  try {
    const report = await openReport(command.report, input.id)
    const { table, isDryRun } = command
    const target = await openTarget({ table, whenNew: isDryRun ? 'simulate' : 'create' })
    const startedAt = performance.now()
    try {
      const { services } = target
      const left: LeftBehind = new Map()
      const counts = await importOrganizations(readEntries(command, input, services, left), {
        services,
        report,
        isDryRun,
        signal,
      })
      process.stdout.write(
        summarize(command, counts, {
          durationMs: performance.now() - startedAt,
          isInterrupted: signal.aborted,
        }),
      )
      for (const [what, number] of left) process.stdout.write(`Not moved: ${formatNumber(number)} ${what}.\n`)
      if (signal.aborted) return exitCodes.interrupted
      return counts.refused > 0 ? exitCodes.someRefused : exitCodes.done
    } finally {
      await report.close()
      await target.close()
    }
  } finally {
    await input.close()
  }
}

const readEntries = (
  { from: system, file, source, roles }: ImportCommand,
  input: Input,
  { table }: Services,
  left: LeftBehind,
): AsyncIterable<Entry> => {
  if (system === undefined) return readJsonLines(input.chunks())
  if (system === 'groups') return readGroups(input.chunks(), table)
  return readExport(input, { system, file, source, roles, left })
}

const count = (number: number, one: string): string =>
  `${formatNumber(number)} ${number === 1 ? one : `${one}s`}`

const summarize = (
  { isDryRun, report }: ImportCommand,
  { organizations, memberships, known, refused, line }: ImportCounts,
  { durationMs, isInterrupted }: ImportEnd,
): string => {
  const imported = `${count(organizations, 'organization')} and ${count(memberships, 'membership')}`
  const lines = [
    isDryRun
      ? `${imported} could be imported; nothing was written.`
      : `${imported} imported in ${(durationMs / 1000).toFixed(1)} s.`,
    known > 0 ? `${count(known, 'line')} had been imported before.` : '',
    refused > 0 ? `${count(refused, 'line')} refused. See the reasons in\n  ${shortenPath(report)}` : '',
    isInterrupted
      ? `Interrupted after line ${formatNumber(line)}. Run the same command again to resume.`
      : '',
  ]
  return `${lines.filter((text) => text !== '').join('\n')}\n`
}
