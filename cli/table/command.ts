import { resolve } from 'node:path'
import { CommandFailure } from '../command-failure.ts'
import { type EnteredCommand, type Options, quote, readCommand, readText, type Values } from '../program.ts'

export interface PassArguments {
  /** The name of a deployed table. Undefined for local mode. */
  readonly table: string | undefined
  readonly isDryRun: boolean
  readonly itemsPerSecond: number
  /** The folder for the file with the progress. */
  readonly folder: string
}

export type KeepOrEnd = 'keep' | 'end'

export type TableCommand =
  | { readonly name: 'help' }
  | (PassArguments & { readonly name: 'reencrypt' })
  | {
      readonly name: 'prepare'
      readonly table: string
      readonly isDryRun: boolean
      /** The ARN of the key of a table that is to be created. */
      readonly createWithKey: string | undefined
      /** The table whose tags it gets. */
      readonly replaced: string | undefined
    }
  | (PassArguments & {
      readonly name: 'copy'
      /** The new table. */
      readonly to: string
    })
  | {
      readonly name: 'export'
      readonly table: string | undefined
      readonly file: string
    }
  | {
      readonly name: 'import'
      readonly table: string | undefined
      readonly file: string
      readonly isDryRun: boolean
    }
  | (PassArguments & {
      readonly name: 'end-credentials'
      readonly isRestored: boolean
      /** The table that the restored one replaces. */
      readonly replaced: string | undefined
      readonly passwords: 'keep' | 'change' | 'remove'
      readonly apiTokens: KeepOrEnd
      readonly recoveryCodes: KeepOrEnd
      readonly accessLinks: KeepOrEnd
    })

const common = {
  table: 'text',
  'dry-run': 'flag',
  rate: 'text',
} as const
const optionsOf = {
  reencrypt: common,
  copy: { ...common, to: 'text' },
  prepare: {
    table: common.table,
    'dry-run': common['dry-run'],
    'create-with-key': 'text',
    replaced: 'text',
  },
  export: { table: common.table, 'with-secrets': 'flag' },
  import: { table: common.table, 'dry-run': common['dry-run'] },
  'end-credentials': {
    ...common,
    restored: 'flag',
    replaced: 'text',
    passwords: 'text',
    'api-tokens': 'text',
    'recovery-codes': 'text',
    'access-links': 'text',
  },
} as const satisfies Record<string, Options>

const commandHint = 'Use export, import, end-credentials, prepare, reencrypt or copy. See --help.'
const defaultItemsPerSecond = 1000

/** @throws CommandFailure with one sentence about an invalid argument. */
export const readTableArguments = (args: readonly string[]): TableCommand => {
  const command = readCommand({ group: 'table', optionsOf, hint: commandHint }, args)
  if (command.name === 'help') return command
  const { name, values, positionals } = command
  if (name === 'export' || name === 'import') return readFileArguments(command)
  if (positionals[0] !== undefined) throw new CommandFailure(`${name} takes no ${quote(positionals[0])}.`)
  if (name === 'prepare') return { name, ...readPrepareArguments(values) }
  const pass: PassArguments = {
    table: readText(values, 'table'),
    isDryRun: values['dry-run'] === true,
    itemsPerSecond: readRate(values),
    folder: process.cwd(),
  }
  if (name === 'end-credentials') return { name, ...pass, ...readEndArguments(values) }
  return name === 'copy' ? { name, ...pass, to: readTarget(values, pass.table) } : { name, ...pass }
}

const readFileArguments = ({ name, values, positionals }: EnteredCommand<string>): TableCommand => {
  const [file, further] = positionals
  if (file === undefined) throw new CommandFailure(`${name} needs a FILE.`)
  if (further !== undefined) throw new CommandFailure(`${name} takes one FILE, not ${quote(further)}.`)
  const path = resolve(file)
  const table = readText(values, 'table')
  if (name === 'import') return { name: 'import', table, file: path, isDryRun: values['dry-run'] === true }
  if (values['with-secrets'] !== true)
    throw new CommandFailure(
      'The file has all secrets of the service. Pass --with-secrets, or use users export.',
    )
  return { name: 'export', table, file: path }
}

const readPrepareArguments = (values: Values) => {
  const table = readText(values, 'table')
  if (table === undefined) throw new CommandFailure('prepare needs --table.')
  return {
    table,
    isDryRun: values['dry-run'] === true,
    createWithKey: readText(values, 'create-with-key'),
    replaced: readText(values, 'replaced'),
  }
}

const readTarget = (values: Values, table: string | undefined): string => {
  const to = readText(values, 'to')
  if (table === undefined || to === undefined) throw new CommandFailure('copy needs --table and --to.')
  if (to === table) throw new CommandFailure('--table and --to must be different tables.')
  return to
}

const readEndArguments = (values: Values) => {
  const replaced = readText(values, 'replaced')
  const isRestored = values['restored'] === true
  if (replaced !== undefined && !isRestored) throw new CommandFailure('--replaced requires --restored.')
  // The replaced table shows what was used or deleted since. Without it, all of it could be.
  const unlessKnown = isRestored && replaced === undefined ? 'end' : 'keep'
  return {
    isRestored,
    replaced,
    passwords: readChoice(values, 'passwords', ['keep', 'change', 'remove'], 'keep'),
    apiTokens: readChoice(values, 'api-tokens', ['keep', 'end'], unlessKnown),
    recoveryCodes: readChoice(values, 'recovery-codes', ['keep', 'end'], unlessKnown),
    accessLinks: readChoice(values, 'access-links', ['keep', 'end'], 'keep'),
  } as const
}

const readChoice = <Choice extends string>(
  values: Values,
  name: string,
  choices: readonly Choice[],
  standard: Choice,
): Choice => {
  const text = readText(values, name)
  if (text === undefined) return standard
  const choice = choices.find((one) => one === text)
  if (choice === undefined) throw new CommandFailure(`--${name} must be ${choices.join(' or ')}.`)
  return choice
}

const readRate = (values: Values): number => {
  const text = readText(values, 'rate')
  if (text === undefined) return defaultItemsPerSecond
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new CommandFailure('--rate must be a number of items from 1 to 999999.')
  return Number(text)
}

/** The output of `--help`. Every line fits a terminal of 80 columns. */
export const tableHelp = `Maintains the table of a service.

  npx latchkey table end-credentials [--restored [--replaced NAME]]
                   [--passwords keep|change|remove] [--api-tokens keep|end]
                   [--recovery-codes keep|end] [--access-links keep|end]
                   [--dry-run] [--rate N] [--table NAME]
  npx latchkey table prepare --table NAME [--replaced NAME]
                   [--create-with-key ARN] [--dry-run]
  npx latchkey table reencrypt --table NAME [--dry-run] [--rate N]
  npx latchkey table copy --table NAME --to NAME [--dry-run] [--rate N]
  npx latchkey table export FILE --with-secrets [--table NAME]
  npx latchkey table import FILE [--dry-run] [--table NAME]

end-credentials ends all sessions, tickets, reset links, emailed codes and links
of security emails of all users. Use it after a restore or a leak of the table.

  --restored        the table was restored: its one-time items and counters are
                    older than what the service gave out. API tokens and
                    recovery codes end too, because some were deleted or used
  --replaced NAME   the table before the restore. Only what was deleted or used
                    there since ends: API tokens, recovery codes, passkeys,
                    access links and their views. Users who were disabled or
                    deleted there are disabled, and changed passwords must be
                    changed again
  --passwords       change: users set a new password when they next sign in;
                    remove: users need a reset link by email (default: keep)
  --api-tokens, --recovery-codes, --access-links
                    keep or end those of all users

prepare turns on the stream of keys, the expiry, the point-in-time recovery and
the deletion protection of a restored table. It prints the settings with which
a stack adopts the table. --replaced names a table whose tags it gets.
--create-with-key creates an empty table first, encrypted with this KMS key.

reencrypt encrypts all secrets inside the table with the key KMS_KEY_ID, if they
are encrypted with KMS_OTHER_KEY_ID. The service may run at the same time.

copy copies all items into another table, for example in another account, and
encrypts their secrets likewise. No service may use either table. --table can be
an ARN. Run it again to verify: then it copies nothing and finds every item.

export writes everything that the service is into a file: users with hashes and
keys, groups, API tokens, links, apps, connections, policies and branding. It
leaves out sessions, signing keys and the audit log. The file is worth as much
as the service itself.

import makes an empty service equal to that of the file, before its first start.
Run it again to resume, or to verify: then it finds every item.

  --dry-run     reads everything, prints what would be done, and writes nothing
  --rate N      items to read in a second at most (default: 1000)
  --table NAME  a deployed table, with the AWS credentials and the region of the
                environment. Without it: local mode, on DATA_DIR

An interrupted command resumes when it is run again in the same folder.

Exit code: 0 done, 2 failed, 130 interrupted.
`
