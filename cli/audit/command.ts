import { resolve } from 'node:path'
import { CommandFailure } from '../command-failure.ts'
import { type Options, quote, readCommand, readText } from '../program.ts'

/** Where the audit log is, and the key of its checkpoints. */
export interface AuditTarget {
  readonly table: string | undefined
  readonly publicKeyFile: string | undefined
}

export type AuditCommand =
  | { readonly name: 'help' }
  | (AuditTarget & {
      readonly name: 'verify'
      readonly expected: string | undefined
      /** A file of `export`, or a folder of the archive, instead of a table. */
      readonly file?: string | undefined
    })
  | { readonly name: 'export'; readonly table: string | undefined; readonly file: string }
  | (AuditTarget & { readonly name: 'checkpoints' })

const common = {
  table: 'text',
  'public-key': 'text',
} as const
const optionsOf = {
  verify: { ...common, expect: 'text', file: 'text' },
  export: { table: 'text' },
  checkpoints: common,
} as const satisfies Record<string, Options>

const commandHint = 'Use verify, export or checkpoints. See --help.'

/** @throws CommandFailure with one sentence about an invalid argument. */
export const readAuditArguments = (args: readonly string[]): AuditCommand => {
  const command = readCommand({ group: 'audit', optionsOf, hint: commandHint }, args)
  if (command.name === 'help') return command
  const { name, values, positionals } = command
  const toPath = (given: string) => resolve(given)
  if (name === 'export') {
    const [target, ...others] = positionals
    if (target === undefined || others.length > 0) throw new CommandFailure('export needs one FILE.')
    return { name, table: readText(values, 'table'), file: toPath(target) }
  }
  if (positionals[0] !== undefined) throw new CommandFailure(`${name} takes no ${quote(positionals[0])}.`)
  const file = readText(values, 'public-key')
  const target = {
    table: readText(values, 'table'),
    publicKeyFile: file === undefined ? undefined : toPath(file),
  }
  if (name === 'checkpoints') return { name, ...target }
  const expected = readText(values, 'expect')
  if (expected !== undefined && !/^[1-9]\d*:[\w-]{43}$/.test(expected))
    throw new CommandFailure('--expect needs a number, a colon, and a hash, as checkpoints prints them.')
  const exported = readText(values, 'file')
  if (exported !== undefined && target.table !== undefined)
    throw new CommandFailure('--file and --table must not be used together.')
  return { name, expected, file: exported === undefined ? undefined : toPath(exported), ...target }
}

/** The output of `--help`. Every line fits a terminal of 80 columns. */
export const auditHelp = `Finds changes of the audit log.

  npx latchkey audit verify [--expect CHECKPOINT] [--table NAME]
                          [--public-key FILE]
  npx latchkey audit verify --file FILE [--expect CHECKPOINT]
                          [--public-key FILE]
  npx latchkey audit export FILE [--table NAME]
  npx latchkey audit checkpoints [--table NAME] [--public-key FILE]

verify reads all audit events with their chains and signed checkpoints. It finds
events that were changed, removed, moved, or added later, and writes nothing.
Only signed checkpoints count. A table that was set back as a whole has earlier
checkpoints that match, so it is found only with --expect.
export writes the stored events with their proof to a new file of JSON lines,
which verify --file checks as of its newest checkpoint, also years later. The
FILE can also be a folder with the objects of the archive.
checkpoints lists the signed checkpoints, newest last.

  --expect CHECKPOINT  a checkpoint that must exist, such as 12:Zk3v... from the
                       log of audit-chain or from an earlier verification
  --table NAME         a deployed table, with the AWS credentials and the region
                       of the environment; AUDIT_KEY_ID is the key that signs.
                       Without it: local mode, on DATA_DIR (default .local)
  --public-key FILE    the public key in PEM format, instead of AUDIT_KEY_ID, or
                       after a change of keys all of them, earliest first

Exit code: 0 nothing found, 1 tampering found, 2 failed, 130 interrupted.
`
