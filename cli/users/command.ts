import { resolve } from 'node:path'
import { CommandFailure } from '../command-failure.ts'
import { type Environment, getCallerFolder, type Options, readCommand, readText } from '../program.ts'

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

const common = { table: 'text' } as const
const optionsOf = {
  import: { ...common, 'dry-run': 'flag', report: 'text' },
  export: { ...common, 'with-secrets': 'flag' },
} as const satisfies Record<string, Options>

const commandHint = 'Use import FILE or export [FILE]. See --help.'

/** @throws CommandFailure with one sentence about an invalid argument. */
export const readUsersArguments = (args: readonly string[], env: Environment): UsersCommand => {
  const command = readCommand({ script: 'users', optionsOf, hint: commandHint }, args, env)
  if (command.name === 'help') return command
  const { name, values, positionals } = command
  const [file, ...others] = positionals.map((path) => resolve(getCallerFolder(env, 'users'), path))
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
    report: report === undefined ? `${file}.refused.jsonl` : resolve(getCallerFolder(env, 'users'), report),
    isDryRun: values['dry-run'] === true,
  }
}

/** The output of `--help`, with the text that starts the command. Every line fits a terminal of 80 columns. */
export const formatUsersHelp = (program: string): string => `Imports users from a file or exports them to one.

  ${program} import FILE [--dry-run] [--report FILE] [--table NAME]
  ${program} export [FILE] [--with-secrets] [--table NAME]

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

Exit code: 0 all imported, 1 some lines refused, 2 failed, 130 interrupted.
`
