import { resolve } from 'node:path'
import { CommandFailure } from '../command-failure.ts'
import { type Options, readCommand, readText, type Values } from '../program.ts'

export type UsersCommand =
  | { readonly name: 'help' }
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

const common = { table: 'text' } as const
const optionsOf = {
  import: { ...common, 'dry-run': 'flag', report: 'text' },
  export: { ...common, 'with-secrets': 'flag' },
  rescue: { ...common, 'reset-second-factor': 'flag', url: 'text' },
} as const satisfies Record<string, Options>

const commandHint = 'Use import FILE, export [FILE] or rescue ACCOUNT. See --help.'

/** @throws CommandFailure with one sentence about an invalid argument. */
export const readUsersArguments = (args: readonly string[]): UsersCommand => {
  const command = readCommand({ group: 'users', optionsOf, hint: commandHint }, args)
  if (command.name === 'help') return command
  const { name, values, positionals } = command
  if (name === 'rescue') return readRescue(values, positionals)
  const [file, ...others] = positionals.map((path) => resolve(path))
  if (others.length > 0)
    throw new CommandFailure(`${name} takes one FILE, but ${positionals.length} were given.`)
  const table = readText(values, 'table')
  if (name === 'export') return { name, file, table, withSecrets: values['with-secrets'] === true }
  if (file === undefined) throw new CommandFailure('import needs a FILE. See --help.')
  const report = readText(values, 'report')
  return {
    name,
    file,
    table,
    report: report === undefined ? `${file}.refused.jsonl` : resolve(report),
    isDryRun: values['dry-run'] === true,
  }
}

const readRescue = (values: Values, [account, ...others]: readonly string[]): UsersCommand => {
  if (account === undefined || others.length > 0)
    throw new CommandFailure('rescue needs one username or email address. See --help.')
  const table = readText(values, 'table')
  const url = readText(values, 'url')
  if (table !== undefined && url === undefined)
    throw new CommandFailure('rescue needs --url with --table: the output Url of the stack, for the link.')
  if (table === undefined && url !== undefined)
    throw new CommandFailure('--url is only for --table. Local mode has PUBLIC_URL.')
  return { name: 'rescue', account, table, url, resetsSecondFactor: values['reset-second-factor'] === true }
}

/** The output of `--help`. Every line fits a terminal of 80 columns. */
export const usersHelp = `Imports and exports users, and rescues a lost administrator.

  npx latchkey users import FILE [--dry-run] [--report FILE] [--table NAME]
  npx latchkey users export [FILE] [--with-secrets] [--table NAME]
  npx latchkey users rescue ACCOUNT [--reset-second-factor] [--table T --url U]

import reads JSON Lines (.jsonl, .ndjson) or CSV with a header row (.csv). Each
line is one user, with the fields of POST /api/2/users (username, email,
full_name, groups, permissions, is_enabled, ...) and two more:

  password_hash  bcrypt ($2a$, $2b$, $2y$), Django's bcrypt_sha256$, or an
                 exported bcrypt_sha384$; replaced when the user signs in
  totp_seed      the key of the user's authenticator app in base32

groups has IDs or names of existing groups. In CSV, separate list items with ;
and leave a cell empty to omit its field. Invalid lines are skipped and listed
in the report with their line numbers and reasons. Rerunning with the same file
resumes an interrupted import.

  --dry-run       checks every line, also against the table, and writes nothing
  --report FILE   the report of invalid lines (default: FILE.refused.jsonl)
  --with-secrets  also exports password hashes and authenticator keys
  --table NAME    a deployed table, with the AWS credentials and the region of
                  the environment; KMS_KEY_ID is the key for authenticator keys.
                  Without it: local mode, on DATA_DIR (default .local)

export writes JSON Lines that import can read, to the terminal if there is no
FILE. Only you can read the file.

rescue lets an account sign in again: ACCOUNT is its username or its confirmed
email address. It enables the account, makes it an administrator, ends its
sessions and its password, and prints a link to choose a new one. Repeating it
prints a new link and ends the one before.

  --reset-second-factor  also removes its authenticator app and its passkeys
  --url U                the address of the service, for the link (with --table)

Exit code: 0 all imported, 1 some lines refused, 2 failed, 130 interrupted.
`
