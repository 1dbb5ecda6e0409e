import { resolve } from 'node:path'
import { CommandFailure } from '../../local/command-failure.ts'
import { type Help, readCommand, tableOption, tableVariables, vaultVariables } from '../program.ts'

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
  | Help
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

const dryRun = { text: 'reads everything, prints what would be done, and writes nothing' } as const
const rate = { value: 'N', text: 'items to read in a second at most', default: '1000' } as const
const keepOrEnd = { value: 'WHAT', choices: ['keep', 'end'] } as const
const requiredTable = { value: 'NAME', text: 'the deployed table', isRequired: true } as const
const keys = {
  ...vaultVariables,
  KMS_OTHER_KEY_ID: 'the key that encrypts secrets inside the table now',
} as const
const exitCodes = '0 done, 2 failed, 130 interrupted'
const resumes = 'An interrupted command resumes when it is run again in the same folder.'

export const table = {
  text: 'Maintains the table of a service.',
  commands: {
    'end-credentials': {
      text: `Ends sessions and one-time credentials of all users.

It ends all sessions, tickets, reset links, emailed codes, links of security emails, open invitations to organizations and open set-up links. Use it after a restore or a leak of the table. ${resumes}`,
      options: {
        restored: {
          text: 'the table was restored: its one-time items and counters are older than what the service gave out. API tokens and recovery codes end too, because some were deleted or used. API tokens of organizations always end. Without --replaced, memberships stay, and each organization gets an event that asks its owners to check them',
        },
        replaced: {
          value: 'NAME',
          text: 'the table before the restore. Only what was deleted or used there since ends: API tokens, recovery codes, passkeys, linked accounts, secrets of clients, access links and their views. Members of organizations have the roles, and organizations the state, that they have there. Users who were disabled or deleted there are disabled, and changed passwords must be changed again',
        },
        passwords: {
          value: 'WHAT',
          choices: ['keep', 'change', 'remove'],
          text: 'change: users set a new password when they next sign in. remove: users need a reset link by email',
          default: 'keep',
        },
        'api-tokens': { ...keepOrEnd, text: 'API tokens of all users and organizations' },
        'recovery-codes': { ...keepOrEnd, text: 'recovery codes of all users' },
        'access-links': { ...keepOrEnd, text: 'access links of all users', default: 'keep' },
        'dry-run': dryRun,
        rate,
        table: tableOption,
      },
      environment: tableVariables,
      exitCodes,
    },
    prepare: {
      text: `Prepares a restored table for a stack.

It turns on the stream of keys, the expiry, the point-in-time recovery and the deletion protection. It prints the settings with which a stack adopts the table.`,
      options: {
        table: requiredTable,
        replaced: { value: 'NAME', text: 'a table whose tags it gets' },
        'create-with-key': {
          value: 'ARN',
          text: 'creates an empty table first, encrypted with this KMS key',
        },
        'dry-run': dryRun,
      },
      environment: tableVariables,
      exitCodes,
    },
    reencrypt: {
      text: `Encrypts all secrets inside the table with another key.

The service may run at the same time. ${resumes}`,
      options: { 'dry-run': dryRun, rate, table: tableOption },
      environment: keys,
      exitCodes,
    },
    copy: {
      text: `Copies all items into another table.

The table can be in another account. Secrets are encrypted as by reencrypt. No service may use either table. Run it again to verify: then it copies nothing and finds every item. ${resumes}`,
      options: {
        table: { value: 'NAME', text: 'the deployed table, or its ARN', isRequired: true },
        to: { value: 'NAME', text: 'the new table', isRequired: true },
        'dry-run': dryRun,
        rate,
      },
      environment: keys,
      exitCodes,
    },
    export: {
      argument: 'FILE',
      text: `Exports everything that the service is into a file.

These are users with hashes and keys, groups, API tokens, links, apps, connections, policies and branding. It leaves out sessions, signing keys and the audit log. The file is worth as much as the service itself.`,
      options: {
        'with-secrets': { text: 'is required, because the file has all secrets' },
        table: tableOption,
      },
      environment: vaultVariables,
      exitCodes,
    },
    import: {
      argument: 'FILE',
      text: `Makes an empty service equal to that of a file, before its first start.

Run it again to resume, or to verify: then it finds every item.`,
      options: { 'dry-run': dryRun, table: tableOption },
      environment: vaultVariables,
      exitCodes,
    },
  },
} as const

/** @throws CommandFailure with one sentence about an invalid argument. */
export const readTableArguments = (args: readonly string[]): TableCommand => {
  const command = readCommand('table', table, args)
  if (command.name === 'help') return command
  if (command.name === 'export') {
    if (!command.values['with-secrets'])
      throw new CommandFailure(
        'The file has all secrets of the service. Pass --with-secrets, or use users export.',
      )
    return { name: 'export', table: command.values.table, file: resolve(command.argument) }
  }
  const isDryRun = command.values['dry-run']
  if (command.name === 'import')
    return { name: 'import', table: command.values.table, file: resolve(command.argument), isDryRun }
  if (command.name === 'prepare') {
    const { table, replaced, 'create-with-key': createWithKey } = command.values
    return { name: 'prepare', table, isDryRun, createWithKey, replaced }
  }
  const { values } = command
  if (!/^[1-9]\d{0,5}$/.test(values.rate))
    throw new CommandFailure('--rate must be a number of items from 1 to 999999.')
  const pass = { table: values.table, isDryRun, itemsPerSecond: Number(values.rate), folder: process.cwd() }
  if (command.name === 'reencrypt') return { name: 'reencrypt', ...pass }
  if (command.name === 'copy') {
    const { to, table } = command.values
    if (to === table) throw new CommandFailure('--table and --to must be different tables.')
    return { name: 'copy', ...pass, to }
  }
  const { replaced, restored: isRestored, passwords, 'access-links': accessLinks } = command.values
  if (replaced !== undefined && !isRestored) throw new CommandFailure('--replaced requires --restored.')
  // The replaced table shows what was used or deleted since. Without it, all of it could be.
  const unlessKnown = isRestored && replaced === undefined ? 'end' : 'keep'
  const apiTokens = command.values['api-tokens'] ?? unlessKnown
  const recoveryCodes = command.values['recovery-codes'] ?? unlessKnown
  return {
    name: 'end-credentials',
    ...pass,
    isRestored,
    replaced,
    passwords,
    apiTokens,
    recoveryCodes,
    accessLinks,
  }
}
