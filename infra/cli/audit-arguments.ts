import { resolve } from 'node:path'
import type { ParseArgsOptionsConfig } from 'node:util'
import { CommandFailure } from './command-failure.ts'
import {
  type Environment,
  getCallerFolder,
  parseOptions,
  quote,
  readText,
  rejectOptionsOfNpm,
} from './options.ts'

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
  const [name, ...rest] = args
  if (name === '--help' || name === '-h' || name === 'help') return { name: 'help' }
  if (name !== 'verify' && name !== 'checkpoints')
    throw new CommandFailure(name ? `Unknown command ${quote(name)}. ${commandHint}` : commandHint)
  const { values, positionals } = parseOptions(rest, optionsOf[name])
  if (values['help']) return { name: 'help' }
  rejectOptionsOfNpm({ script: 'audit', command: name, options: optionsOf[name] }, values, env)
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
