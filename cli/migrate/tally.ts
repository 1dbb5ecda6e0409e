import { toDisplayText } from '../../lib/kernel/contract/text-rules.ts'
import type { FieldError } from '../../lib/kernel/errors/errors.ts'
import { formatNumber } from '../progress.ts'
import type { ImportCounts } from '../users/import-users.ts'
import { countUsers, type ImportEnd, summarize } from '../users/run-import.ts'
import type { ImportCommand } from './command.ts'
import type { GroupNames } from './groups.ts'
import type { SourceRecord } from './source.ts'

/** Counts by name, in the order of their first use. Names come from files, so they are few and short. */
interface Counter {
  readonly add: (name: string) => void
  /** One line for each name, the most frequent first. */
  readonly format: (unit: readonly [one: string, more: string]) => readonly string[]
}

const namesKept = 1000
const linesShown = 40
const otherNames = 'others'

const createCounter = (): Counter => {
  const counts = new Map<string, number>()
  return {
    add: (name) => {
      const shown = toDisplayText(name, 80) ?? '?'
      const key = counts.has(shown) || counts.size < namesKept ? shown : otherNames
      counts.set(key, (counts.get(key) ?? 0) + 1)
    },
    format: ([one, more]) => {
      const lines = [...counts]
        .sort(([, a], [, b]) => b - a)
        .map(([name, count]) => `${name}: ${formatNumber(count)} ${count === 1 ? one : more}`)
      const rest = lines.length - linesShown
      return rest > 0 ? [...lines.slice(0, linesShown), `and ${formatNumber(rest)} more`] : lines
    },
  }
}

/** What an import leaves behind, and why lines are refused. */
export interface Tally {
  readonly addRecord: (record: SourceRecord) => void
  readonly addRefusal: (line: number, errors: readonly FieldError[]) => void
  /** The first users who are not refused, each as a line of text. */
  readonly listExamples: () => readonly string[]
  readonly listReasons: () => readonly string[]
  readonly listLeft: () => readonly string[]
  readonly countWithoutPassword: () => number
}

const examplesShown = 5
const examplesKept = 100

export const createTally = (): Tally => {
  const [left, skipped, reasons] = [createCounter(), createCounter(), createCounter()]
  const examples = new Map<number, string>()
  let withoutPassword = 0
  let kept = 0
  return {
    addRecord: ({ line, fields, left: names = [], skipped: kind }) => {
      if (kind !== undefined) skipped.add(kind)
      for (const name of new Set(names)) left.add(name)
      if (!fields) return
      if (!fields.password_hash && !fields.password_check) withoutPassword += 1
      if (kept++ < examplesKept) examples.set(line, describeUser(fields))
    },
    addRefusal: (line, errors) => {
      examples.delete(line)
      // A reason is the same on each line, without the number of the other line.
      for (const { field, message } of errors)
        reasons.add(
          `${field.replace(/\.\d+$/, '')} ${message.replace(/ on line \d+$/, ' on an earlier line')}`,
        )
    },
    listExamples: () => [...examples.values()].slice(0, examplesShown),
    listReasons: () => reasons.format(['line', 'lines']),
    listLeft: () => [...left.format(['user', 'users']), ...skipped.format(['record', 'records'])],
    countWithoutPassword: () => withoutPassword,
  }
}

type Fields = NonNullable<SourceRecord['fields']>

/** Shows what a line sets, without its secrets. */
const describeUser = (fields: Fields): string => {
  const { username, email, email_verified, full_name, groups, is_enabled, totp_seed } = fields
  const { password_hash, password_check, public_identities } = fields
  const parts = [
    email ? `${email} (${email_verified === false ? 'not verified' : 'verified'})` : 'no email address',
    full_name,
    password_hash ? 'password' : password_check ? 'password at the old system' : 'no password',
    totp_seed ? 'authenticator app' : undefined,
    Array.isArray(public_identities)
      ? `signs in with ${public_identities.map(({ provider }) => provider).join(', ')}`
      : undefined,
    Array.isArray(groups) && groups.length > 0 ? `groups ${groups.join(', ')}` : undefined,
    is_enabled === false ? 'disabled' : undefined,
  ]
  return toDisplayText(`${username}: ${parts.filter(Boolean).join('; ')}`, 300) ?? ''
}

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
export const formatPreview = (
  command: ImportCommand,
  preview: Preview,
  { isInterrupted }: Pick<ImportEnd, 'isInterrupted'>,
): string => {
  const { counts, tally, missing, privileged } = preview
  const withoutPassword = tally.countWithoutPassword()
  return [
    summarize({ ...command, isDryRun: true }, counts, { durationMs: 0, isInterrupted }),
    formatList('Reasons:', tally.listReasons()),
    withoutPassword > 0 ? `${countUsers(withoutPassword)} without a password.\n` : '',
    missing.length > 0 ? `New groups, without permissions: ${formatNames(missing)}\n` : '',
    privileged.length > 0 ? `Existing groups with permissions: ${formatNames(privileged)}\n` : '',
    formatList('Examples:', tally.listExamples()),
    formatList('Not moved:', tally.listLeft()),
  ].join('')
}

/** Says what an import did. */
export const formatResult = (command: ImportCommand, { counts, tally }: Pass, end: ImportEnd): string =>
  [
    summarize({ ...command, isDryRun: false }, counts, end),
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
