import { resolve } from 'node:path'
import { externalSourceForm, externalSourceRule } from '../../lib/kernel/contract/text-rules.ts'
import { CommandFailure } from '../../local/command-failure.ts'
import { type Help, importExitCodes, readCommand, tableOption, vaultVariables } from '../program.ts'

export type SourceName =
  | 'django'
  | 'keycloak'
  | 'auth0'
  | 'cognito'
  | 'firebase'
  | 'clerk'
  | 'better-auth'
  | 'csv'

export type MigrateCommand = ImportCommand | UndoCommand | Help

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
  /** The file with the password hashes of Auth0 or Clerk. */
  readonly hashes: string | undefined
  /** The file with the parameters of Firebase's password hashes. */
  readonly hashConfig: string | undefined
  /** The fields of CSV columns, as they were given. */
  readonly map: string | undefined
}

const trustEmails = { text: 'takes addresses as verified if the file does not say it' } as const
const passkeys = { text: 'takes passkeys: this service must have the same RP ID' } as const
const common = {
  yes: { text: 'imports without a question' },
  source: { value: 'NAME', text: 'the name of the source, instead of the name of the system' },
  'trust-groups': { text: 'lets users join existing groups that have permissions' },
  report: { value: 'FILE', text: 'the report of refused lines, instead of FILE.refused.jsonl' },
  table: tableOption,
} as const

const about = `FILE is the export as the other system writes it: docs/migrate.md has a page for each. The command shows what would happen: how many users can be imported, which are refused and why, five examples, and what is not moved. Then it asks, or needs --yes. Repeating it resumes an interrupted import. Groups that do not exist are created without permissions. No one gets a permission from the other system. Users keep their ID there as external_id.`

const fromSystem = <const Options extends object>(system: string, options: Options) =>
  ({
    argument: 'FILE',
    text: `Moves users from ${system}.\n\n${about}`,
    options: { ...options, ...common },
    environment: vaultVariables,
    exitCodes: importExitCodes,
  }) as const

export const migrate = {
  text: 'Moves users from another system, with their passwords.',
  commands: {
    'from-django': fromSystem('Django', {
      model: { value: 'APP.MODEL', text: 'the model of users', default: 'auth.user' },
      'trust-emails': trustEmails,
    }),
    'from-keycloak': fromSystem('Keycloak', { passkeys }),
    'from-auth0': fromSystem('Auth0', {
      hashes: { value: 'FILE', text: "the password hashes that Auth0's support sends" },
    }),
    'from-cognito': fromSystem('Amazon Cognito', {
      'legacy-passwords': { text: 'lets Cognito check passwords until the first sign-in' },
    }),
    'from-firebase': fromSystem('Firebase', {
      'hash-config': { value: 'FILE', text: 'the password hash parameters of the project' },
    }),
    'from-clerk': fromSystem('Clerk', {
      hashes: { value: 'FILE', text: 'the CSV file of the dashboard, which has the password hashes' },
    }),
    'from-better-auth': fromSystem('Better Auth', { passkeys }),
    'from-csv': fromSystem('CSV', {
      map: { value: 'COLUMN=FIELD,...', text: 'the field of each column that has another name' },
      'trust-emails': trustEmails,
    }),
    undo: {
      text: `Deletes the users of a source who never signed in.

Others stay.`,
      options: {
        source: { value: 'NAME', text: 'the name of the source', isRequired: true },
        yes: { text: 'deletes without a question' },
        table: tableOption,
      },
      environment: vaultVariables,
      exitCodes: '0 done, 2 failed, 130 interrupted',
    },
  },
} as const

/** @throws CommandFailure with one sentence about an invalid argument. */
export const readMigrateArguments = (args: readonly string[]): MigrateCommand => {
  const command = readCommand('migrate', migrate, args)
  if (command.name === 'help') return command
  const { source, table, yes: isConfirmed } = command.values
  if (source !== undefined && !externalSourceForm.test(source))
    throw new CommandFailure(`--source ${externalSourceRule}.`)
  if (command.name === 'undo') return { name: 'undo', source: command.values.source, table, isConfirmed }
  // Each system has some of these options.
  const values: typeof command.values & {
    readonly [Name in 'model' | 'hashes' | 'hash-config' | 'map']?: string | undefined
  } & { readonly [Name in 'trust-emails' | 'legacy-passwords' | 'passkeys']?: boolean } = command.values
  const resolvePath = (path: string | undefined) => (path === undefined ? undefined : resolve(path))
  const name = command.name.slice('from-'.length) as SourceName
  const file = resolve(command.argument)
  return {
    name,
    source: source ?? name,
    file,
    report: resolvePath(values.report) ?? `${file}.refused.jsonl`,
    table,
    isConfirmed,
    trustsGroups: values['trust-groups'],
    trustsEmails: values['trust-emails'] ?? false,
    hasLegacyPasswords: values['legacy-passwords'] ?? false,
    takesPasskeys: values.passkeys ?? false,
    model: values.model ?? migrate.commands['from-django'].options.model.default,
    hashes: resolvePath(values.hashes),
    hashConfig: resolvePath(values['hash-config']),
    map: values.map,
  }
}
