import { resolve } from 'node:path'
import { CommandFailure } from '../../local/command-failure.ts'
import { type Help, readCommand, tableOption, tableVariables } from '../program.ts'

/** Where the audit log is, and the key of its checkpoints. */
export interface AuditTarget {
  readonly table: string | undefined
  readonly publicKeyFile: string | undefined
}

export type AuditCommand =
  | Help
  | (AuditTarget & {
      readonly name: 'verify'
      readonly expected: string | undefined
      /** A file of `export`, or a folder of the archive, instead of a table. */
      readonly file?: string | undefined
    })
  | { readonly name: 'export'; readonly table: string | undefined; readonly file: string }
  | (AuditTarget & { readonly name: 'checkpoints' })

const publicKey = {
  value: 'FILE',
  text: 'the public key in PEM format, instead of AUDIT_KEY_ID. After a change of keys it has all of them, earliest first',
} as const
const environment = { ...tableVariables, AUDIT_KEY_ID: 'the key that signs checkpoints' }
const exitCodes = '0 nothing found, 1 tampering found, 2 failed, 130 interrupted'

export const audit = {
  text: 'Verifies or exports the audit log.',
  commands: {
    verify: {
      text: `Finds changes of the audit log.

It reads all audit events with their chains and signed checkpoints. It finds events that were changed, removed, moved, or added later, and writes nothing. Only signed checkpoints count. A table that was set back as a whole has earlier checkpoints that match, so it is found only with --expect.`,
      options: {
        expect: {
          value: 'CHECKPOINT',
          text: 'a checkpoint that must exist, such as 12:Zk3v... from the log of audit-chain or from an earlier verification',
        },
        file: {
          value: 'FILE',
          text: 'a file of export, or a folder with the objects of the archive, instead of a table. It is checked as of its newest checkpoint',
        },
        table: tableOption,
        'public-key': publicKey,
      },
      environment,
      exitCodes,
    },
    export: {
      argument: 'FILE',
      text: `Writes the stored events with their proof to a new file.

The file has JSON Lines, which verify --file checks, also years later.`,
      options: { table: tableOption },
      environment,
      exitCodes,
    },
    checkpoints: {
      text: 'Lists the signed checkpoints, newest last.',
      options: { table: tableOption, 'public-key': publicKey },
      environment,
      exitCodes,
    },
  },
} as const

/** @throws CommandFailure with one sentence about an invalid argument. */
export const readAuditArguments = (args: readonly string[]): AuditCommand => {
  const command = readCommand('audit', audit, args)
  if (command.name === 'help') return command
  const { table } = command.values
  if (command.name === 'export') return { name: 'export', table, file: resolve(command.argument) }
  const key = command.values['public-key']
  const target = { table, publicKeyFile: key === undefined ? undefined : resolve(key) }
  if (command.name === 'checkpoints') return { name: 'checkpoints', ...target }
  const { expect: expected, file } = command.values
  if (expected !== undefined && !/^[1-9]\d*:[\w-]{43}$/.test(expected))
    throw new CommandFailure('--expect needs a number, a colon, and a hash, as checkpoints prints them.')
  if (file !== undefined && table !== undefined)
    throw new CommandFailure('--file and --table must not be used together.')
  return { name: 'verify', expected, file: file === undefined ? undefined : resolve(file), ...target }
}
