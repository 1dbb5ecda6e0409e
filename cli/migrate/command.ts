import { resolve } from 'node:path'
import { CommandFailure } from '../command-failure.ts'
import {
  type Environment,
  getCallerFolder,
  type Options,
  readCommand,
  readText,
  type Values,
} from '../program.ts'

/** The systems whose exports can be imported. */
const sources = ['django', 'keycloak', 'auth0', 'cognito', 'firebase', 'better-auth', 'csv'] as const
export type SourceName = (typeof sources)[number]

export interface MigrateCommand {
  readonly name: SourceName
  readonly file: string
  readonly report: string
  readonly table: string | undefined
  /** Whether to import without a question. */
  readonly isConfirmed: boolean
  /** Whether users may join existing groups that have permissions. */
  readonly trustsGroups: boolean
  /** Whether addresses count as verified if the export does not say it. */
  readonly trustsEmails: boolean
  /** The model of Django's users. */
  readonly model: string
  /** The file with Auth0's password hashes. */
  readonly hashes: string | undefined
  /** The file with the parameters of Firebase's password hashes. */
  readonly hashConfig: string | undefined
  /** The fields of CSV columns, as they were given. */
  readonly map: string | undefined
}

const common = { table: 'text', report: 'text', yes: 'flag', 'trust-groups': 'flag' } as const
const optionsOf = {
  'from-django': { ...common, 'trust-emails': 'flag', model: 'text' },
  'from-keycloak': common,
  'from-auth0': { ...common, hashes: 'text' },
  'from-cognito': common,
  'from-firebase': { ...common, 'hash-config': 'text' },
  'from-better-auth': common,
  'from-csv': { ...common, 'trust-emails': 'flag', map: 'text' },
} as const satisfies Record<`from-${SourceName}`, Options>

const commandHint = `Use ${sources.map((source) => `from-${source}`).join(', ')} with a FILE. See --help.`

/** @throws CommandFailure with one sentence about an invalid argument. */
export const readMigrateArguments = (
  args: readonly string[],
  env: Environment,
): MigrateCommand | { readonly name: 'help' } => {
  const command = readCommand({ script: 'migrate', optionsOf, hint: commandHint }, args, env)
  if (command.name === 'help') return { name: 'help' }
  const { values, positionals } = command
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0)
    throw new CommandFailure(`${command.name} takes one FILE. See --help.`)
  const resolvePath = (path: string) => resolve(getCallerFolder(env, 'migrate'), path)
  const readPath = (values: Values, name: string) => {
    const path = readText(values, name)
    return path === undefined ? undefined : resolvePath(path)
  }
  return {
    name: command.name.slice('from-'.length) as SourceName,
    file: resolvePath(file),
    report: readPath(values, 'report') ?? `${resolvePath(file)}.refused.jsonl`,
    table: readText(values, 'table'),
    isConfirmed: values['yes'] === true,
    trustsGroups: values['trust-groups'] === true,
    trustsEmails: values['trust-emails'] === true,
    model: readText(values, 'model') ?? 'auth.user',
    hashes: readPath(values, 'hashes'),
    hashConfig: readPath(values, 'hash-config'),
    map: readText(values, 'map'),
  }
}

/** The output of `--help`, with the text that starts the command. Every line fits a terminal of 80 columns. */
export const formatMigrateHelp = (
  program: string,
): string => `Moves users from another system, with their passwords where it exports them.

  ${program} from-django FILE [--model APP.MODEL] [--trust-emails]
  ${program} from-keycloak FILE
  ${program} from-auth0 FILE [--hashes FILE]
  ${program} from-cognito FILE
  ${program} from-firebase FILE [--hash-config FILE]
  ${program} from-better-auth FILE
  ${program} from-csv FILE [--map COLUMN=FIELD,...] [--trust-emails]

Each command also takes [--yes] [--trust-groups] [--report FILE] [--table NAME].

FILE is the export as the other system writes it: docs/migrate.md has a page for
each. The command shows what would happen: how many users can be imported, which
are refused and why, five examples, and what is not moved. Then it asks, or
needs --yes. Repeating it resumes an interrupted import. Groups that do not
exist are created without permissions. No one gets a permission from the other
system.

  --yes              imports without a question
  --trust-groups     lets users join existing groups that have permissions
  --trust-emails     takes addresses as verified if the file does not say it
  --model APP.MODEL  Django's model of users (default: auth.user)
  --hashes FILE      the password hashes that Auth0's support sends
  --hash-config FILE the password hash parameters of the Firebase project
  --map C=F,...      the field of each CSV column that has another name
  --report FILE      the report of refused lines (default: FILE.refused.jsonl)
  --table NAME       a deployed table, as in users import (default: local mode)

Exit code: 0 all imported, 1 some lines refused, 2 failed, 130 interrupted.
`
