import { resolve } from 'node:path'
import { CommandFailure } from '../../local/command-failure.ts'
import { type Help, importExitCodes, readCommand, tableOption, vaultVariables } from '../program.ts'

export type UsersCommand =
  | Help
  | {
      readonly name: 'import'
      readonly file: string
      readonly report: string
      readonly isDryRun: boolean
      readonly table: string | undefined
    }
  | {
      readonly name: 'export'
      readonly file: string | undefined
      readonly withSecrets: boolean
      readonly table: string | undefined
    }
  | {
      readonly name: 'rescue'
      /** The username or the email address. */
      readonly account: string
      readonly resetsSecondFactor: boolean
      readonly table: string | undefined
      readonly url: string | undefined
    }

export const users = {
  text: 'Imports, exports or rescues users.',
  commands: {
    import: {
      argument: 'FILE',
      text: `Imports users from JSON Lines or CSV.

FILE has JSON Lines (.jsonl, .ndjson) or CSV with a header row (.csv). Each line is one user, with the fields of POST /api/2/users (username, email, full_name, groups, permissions, is_enabled, ...) and eight more. The most important are:

  password_hash  as the other system wrote it: bcrypt, argon2, scrypt, PBKDF2
                 and others; replaced when the user signs in
  totp_seed      the key of the user's authenticator app in base32

docs/import-export.md lists all fields and hashes.

groups has IDs or names of existing groups. In CSV, separate list items with ; and leave a cell empty to omit its field. Invalid lines are skipped and listed in the report with their line numbers and reasons. Rerunning with the same file resumes an interrupted import.`,
      options: {
        'dry-run': { text: 'checks every line, also against the table, and writes nothing' },
        report: { value: 'FILE', text: 'the report of invalid lines, instead of FILE.refused.jsonl' },
        table: tableOption,
      },
      environment: vaultVariables,
      exitCodes: importExitCodes,
    },
    export: {
      argument: '[FILE]',
      text: `Exports users as JSON Lines that import can read.

Without FILE, it writes to the terminal. Only you can read the file.`,
      options: {
        'with-secrets': { text: 'also exports password hashes and authenticator keys' },
        table: tableOption,
      },
      environment: vaultVariables,
      exitCodes: '0 done, 2 failed, 130 interrupted',
    },
    rescue: {
      argument: 'ACCOUNT',
      text: `Lets a lost administrator sign in again.

ACCOUNT is a username or a confirmed email address. It enables the account, makes it an administrator, ends its sessions and its password, and prints a link to choose a new one. Repeating it prints a new link and ends the one before.`,
      options: {
        'reset-second-factor': { text: 'also removes its authenticator app and its passkeys' },
        url: { value: 'URL', text: 'the address of the service, for the link. Only with --table' },
        table: tableOption,
      },
      environment: vaultVariables,
      exitCodes: '0 done, 2 failed',
    },
  },
} as const

/** @throws CommandFailure with one sentence about an invalid argument. */
export const readUsersArguments = (args: readonly string[]): UsersCommand => {
  const command = readCommand('users', users, args)
  if (command.name === 'help') return command
  const { table } = command.values
  if (command.name === 'export') {
    const { argument, values } = command
    const file = argument === undefined ? undefined : resolve(argument)
    return { name: 'export', file, table, withSecrets: values['with-secrets'] }
  }
  if (command.name === 'import') {
    const { argument, values } = command
    const file = resolve(argument)
    const report = resolve(values.report ?? `${file}.refused.jsonl`)
    return { name: 'import', file, table, report, isDryRun: values['dry-run'] }
  }
  const { url } = command.values
  if (table !== undefined && url === undefined)
    throw new CommandFailure('rescue needs --url with --table: the output Url of the stack, for the link.')
  if (table === undefined && url !== undefined)
    throw new CommandFailure('--url is only for --table. Local mode has PUBLIC_URL.')
  const resetsSecondFactor = command.values['reset-second-factor']
  return { name: 'rescue', account: command.argument, table, url, resetsSecondFactor }
}
