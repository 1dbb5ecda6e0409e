import { resolve } from 'node:path'
import type { ParseArgsOptionsConfig } from 'node:util'
import { CommandFailure } from '../command-failure.ts'
import { type Environment, getCallerFolder, quote, readCommand, readText } from '../options.ts'

/** Where the audit log is, and the key of its checkpoints. */
export interface AuditTarget {
  readonly table: string | undefined
  readonly publicKeyFile: string | undefined
}

export type AuditCommand =
  | { readonly name: 'help' }
  | (AuditTarget & { readonly name: 'verify'; readonly expected: string | undefined })
  | (AuditTarget & { readonly name: 'checkpoints' })

const common = {
  help: { type: 'boolean', short: 'h' },
  table: { type: 'string' },
  'public-key': { type: 'string' },
} as const
const optionsOf = {
  verify: { ...common, expect: { type: 'string' } },
  checkpoints: common,
} as const satisfies Record<string, ParseArgsOptionsConfig>

const commandHint = 'Use verify or checkpoints. See --help.'

/** @throws CommandFailure with one sentence about an invalid argument. */
export const readAuditArguments = (args: readonly string[], env: Environment): AuditCommand => {
  const command = readCommand({ script: 'audit', optionsOf, hint: commandHint }, args, env)
  if (command.name === 'help') return command
  const { name, values, positionals } = command
  if (positionals[0] !== undefined) throw new CommandFailure(`${name} takes no ${quote(positionals[0])}.`)
  const file = readText(values, 'public-key')
  const target = {
    table: readText(values, 'table'),
    publicKeyFile: file === undefined ? undefined : resolve(getCallerFolder(env, 'audit'), file),
  }
  if (name === 'checkpoints') return { name, ...target }
  const expected = readText(values, 'expect')
  if (expected !== undefined && !/^[1-9]\d*:[\w-]{43}$/.test(expected))
    throw new CommandFailure('--expect needs a number, a colon, and a hash, as checkpoints prints them.')
  return { name, expected, ...target }
}
