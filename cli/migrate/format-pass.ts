import { formatNumber } from '../progress.ts'
import type { ImportCounts } from '../users/import-users.ts'
import { countUsers, summarize } from '../users/run-import.ts'
import type { ImportCommand } from './command.ts'
import type { GroupNames } from './groups.ts'
import type { Tally } from './tally.ts'

/** What one reading of the whole export found. */
export interface Pass {
  readonly counts: Readonly<ImportCounts>
  readonly tally: Tally
  readonly groups: GroupNames
}

/** A reading that wrote nothing, with the groups that would change. */
export interface Preview extends Pass {
  readonly missing: readonly string[]
  readonly privileged: readonly string[]
}

/** Says what an import would do. */
export const formatPreview = (command: ImportCommand, preview: Preview, isInterrupted: boolean): string => {
  const { counts, tally, missing, privileged } = preview
  const withoutPassword = tally.countWithoutPassword()
  return [
    summarize({ ...command, isDryRun: true }, counts, 0, isInterrupted),
    formatList('Reasons:', tally.listReasons()),
    withoutPassword > 0 ? `${countUsers(withoutPassword)} without a password.\n` : '',
    missing.length > 0 ? `New groups, without permissions: ${formatNames(missing)}\n` : '',
    privileged.length > 0 ? `Existing groups with permissions: ${formatNames(privileged)}\n` : '',
    formatList('Examples:', tally.listExamples()),
    formatList('Not moved:', tally.listLeft()),
  ].join('')
}

/** Says what an import did. */
export const formatResult = (
  command: ImportCommand,
  { counts, tally }: Pass,
  durationMs: number,
  isInterrupted: boolean,
): string =>
  [
    summarize({ ...command, isDryRun: false }, counts, durationMs, isInterrupted),
    formatList('Reasons:', tally.listReasons()),
    formatList('Not moved:', tally.listLeft()),
  ].join('')

const formatList = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `${title}\n${lines.map((line) => `  ${line}\n`).join('')}`

const namesShown = 20

const formatNames = (names: readonly string[]): string => {
  const rest = names.length - namesShown
  const shown = names.slice(0, namesShown).join(', ')
  return rest > 0 ? `${shown} and ${formatNumber(rest)} more` : shown
}
