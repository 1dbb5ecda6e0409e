import { resolve } from 'node:path'
import { externalSourceForm, externalSourceRule } from '../../lib/kernel/contract/text-rules.ts'
import { CommandFailure } from '../command-failure.ts'
import { type Options, readCommand, readText, type Values } from '../program.ts'

/** The systems whose exports can be imported. */
const sources = ['django', 'keycloak', 'auth0', 'cognito', 'firebase', 'better-auth', 'csv'] as const
export type SourceName = (typeof sources)[number]

export type MigrateCommand = ImportCommand | UndoCommand | { readonly name: 'help' }

/** Deletes users of a source again. */
export interface UndoCommand {
  readonly name: 'undo'
  readonly source: string
  readonly table: string | undefined
  /** Whether to delete without a question. */
  readonly isConfirmed: boolean
}

export interface ImportCommand {
  readonly name: SourceName
  /** The name of the source that users keep with their ID there. */
  readonly source: string
  readonly file: string
  readonly report: string
  readonly table: string | undefined
  /** Whether to import without a question. */
  readonly isConfirmed: boolean
  /** Whether users may join existing groups that have permissions. */
  readonly trustsGroups: boolean
  /** Whether addresses count as verified if the export does not say it. */
  readonly trustsEmails: boolean
  /** Whether Cognito checks the passwords of users until their first sign-in here. */
  readonly hasLegacyPasswords: boolean
  /** Whether passkeys are taken: only a service with the same RP ID can use them. */
  readonly takesPasskeys: boolean
  /** The model of Django's users. */
  readonly model: string
  /** The file with Auth0's password hashes. */
  readonly hashes: string | undefined
  /** The file with the parameters of Firebase's password hashes. */
  readonly hashConfig: string | undefined
  /** The fields of CSV columns, as they were given. */
  readonly map: string | undefined
}

const undo = { table: 'text', source: 'text', yes: 'flag' } as const
const common = { ...undo, report: 'text', 'trust-groups': 'flag' } as const
const optionsOf = {
  'from-django': { ...common, 'trust-emails': 'flag', model: 'text' },
  'from-keycloak': { ...common, passkeys: 'flag' },
  'from-auth0': { ...common, hashes: 'text' },
  'from-cognito': { ...common, 'legacy-passwords': 'flag' },
  'from-firebase': { ...common, 'hash-config': 'text' },
  'from-better-auth': { ...common, passkeys: 'flag' },
  'from-csv': { ...common, 'trust-emails': 'flag', map: 'text' },
  undo,
} as const satisfies Record<`from-${SourceName}` | 'undo', Options>

const commandHint = `Use ${sources.map((source) => `from-${source}`).join(', ')} with a FILE, or undo. See --help.`

/** @throws CommandFailure with one sentence about an invalid argument. */
export const readMigrateArguments = (args: readonly string[]): MigrateCommand => {
  const command = readCommand({ group: 'migrate', optionsOf, hint: commandHint }, args)
  if (command.name === 'help') return { name: 'help' }
  const { values, positionals } = command
  if (command.name === 'undo') return readUndo(values, positionals)
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0)
    throw new CommandFailure(`${command.name} takes one FILE. See --help.`)
  const resolvePath = (path: string) => resolve(path)
  const readPath = (values: Values, name: string) => {
    const path = readText(values, name)
    return path === undefined ? undefined : resolvePath(path)
  }
  const name = command.name.slice('from-'.length) as SourceName
  return {
    name,
    source: readSource(values) ?? name,
    file: resolvePath(file),
    report: readPath(values, 'report') ?? `${resolvePath(file)}.refused.jsonl`,
    table: readText(values, 'table'),
    isConfirmed: values['yes'] === true,
    trustsGroups: values['trust-groups'] === true,
    trustsEmails: values['trust-emails'] === true,
    hasLegacyPasswords: values['legacy-passwords'] === true,
    takesPasskeys: values['passkeys'] === true,
    model: readText(values, 'model') ?? 'auth.user',
    hashes: readPath(values, 'hashes'),
    hashConfig: readPath(values, 'hash-config'),
    map: readText(values, 'map'),
  }
}

const readUndo = (values: Values, positionals: readonly string[]): UndoCommand => {
  const source = readSource(values)
  if (source === undefined || positionals.length > 0)
    throw new CommandFailure('undo needs --source NAME and nothing else. See --help.')
  return { name: 'undo', source, table: readText(values, 'table'), isConfirmed: values['yes'] === true }
}

const readSource = (values: Values): string | undefined => {
  const source = readText(values, 'source')
  if (source !== undefined && !externalSourceForm.test(source))
    throw new CommandFailure(`--source ${externalSourceRule}.`)
  return source
}

/** The output of `--help`. Every line fits a terminal of 80 columns. */
export const migrateHelp = `Moves users from another system, with their passwords where it exports them.

  npx latchkey migrate from-django FILE [--model APP.MODEL] [--trust-emails]
  npx latchkey migrate from-keycloak FILE [--passkeys]
  npx latchkey migrate from-auth0 FILE [--hashes FILE]
  npx latchkey migrate from-cognito FILE [--legacy-passwords]
  npx latchkey migrate from-firebase FILE [--hash-config FILE]
  npx latchkey migrate from-better-auth FILE [--passkeys]
  npx latchkey migrate from-csv FILE [--map COLUMN=FIELD,...] [--trust-emails]
  npx latchkey migrate undo --source NAME [--yes] [--table NAME]

Each import also takes [--yes] [--trust-groups] [--source NAME] [--report FILE]
[--table NAME].

FILE is the export as the other system writes it: docs/migrate.md has a page for
each. The command shows what would happen: how many users can be imported, which
are refused and why, five examples, and what is not moved. Then it asks, or
needs --yes. Repeating it resumes an interrupted import. Groups that do not
exist are created without permissions. No one gets a permission from the other
system. Users keep their ID there as external_id.

undo deletes the users of a source who never signed in. Others stay.

  --yes              imports, or deletes, without a question
  --source NAME      the name of the source (default: the name of the system)
  --trust-groups     lets users join existing groups that have permissions
  --trust-emails     takes addresses as verified if the file does not say it
  --legacy-passwords lets Cognito check passwords until the first sign-in
  --passkeys         takes passkeys: this service must have the same RP ID
  --model APP.MODEL  Django's model of users (default: auth.user)
  --hashes FILE      the password hashes that Auth0's support sends
  --hash-config FILE the password hash parameters of the Firebase project
  --map C=F,...      the field of each CSV column that has another name
  --report FILE      the report of refused lines (default: FILE.refused.jsonl)
  --table NAME       a deployed table, as in users import (default: local mode)

Exit code: 0 all imported, 1 some lines refused, 2 failed, 130 interrupted.
`
