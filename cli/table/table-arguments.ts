import { resolve } from 'node:path'
import type { ParseArgsOptionsConfig } from 'node:util'
import { CommandFailure } from '../command-failure.ts'
import { type Environment, getCallerFolder, quote, readCommand, readText, type Values } from '../options.ts'

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
  | { readonly name: 'help' }
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

const common = {
  help: { type: 'boolean', short: 'h' },
  table: { type: 'string' },
  'dry-run': { type: 'boolean' },
  rate: { type: 'string' },
} as const
const optionsOf = {
  reencrypt: common,
  copy: { ...common, to: { type: 'string' } },
  prepare: {
    help: common.help,
    table: common.table,
    'dry-run': common['dry-run'],
    'create-with-key': { type: 'string' },
    replaced: { type: 'string' },
  },
  'end-credentials': {
    ...common,
    restored: { type: 'boolean' },
    replaced: { type: 'string' },
    passwords: { type: 'string' },
    'api-tokens': { type: 'string' },
    'recovery-codes': { type: 'string' },
    'access-links': { type: 'string' },
  },
} as const satisfies Record<string, ParseArgsOptionsConfig>

const commandHint = 'Use end-credentials, prepare, reencrypt or copy. See --help.'
const defaultItemsPerSecond = 1000

/** @throws CommandFailure with one sentence about an invalid argument. */
export const readTableArguments = (args: readonly string[], env: Environment): TableCommand => {
  const command = readCommand({ script: 'table', optionsOf, hint: commandHint }, args, env)
  if (command.name === 'help') return command
  const { name, values, positionals } = command
  if (positionals[0] !== undefined) throw new CommandFailure(`${name} takes no ${quote(positionals[0])}.`)
  if (name === 'prepare') return { name, ...readPrepareArguments(values) }
  const pass: PassArguments = {
    table: readText(values, 'table'),
    isDryRun: values['dry-run'] === true,
    itemsPerSecond: readRate(values),
    folder: resolve(getCallerFolder(env, 'table')),
  }
  if (name === 'end-credentials') return { name, ...pass, ...readEndArguments(values) }
  return name === 'copy' ? { name, ...pass, to: readTarget(values, pass.table) } : { name, ...pass }
}

const readPrepareArguments = (values: Values) => {
  const table = readText(values, 'table')
  if (table === undefined) throw new CommandFailure('prepare needs --table.')
  return {
    table,
    isDryRun: values['dry-run'] === true,
    createWithKey: readText(values, 'create-with-key'),
    replaced: readText(values, 'replaced'),
  }
}

const readTarget = (values: Values, table: string | undefined): string => {
  const to = readText(values, 'to')
  if (table === undefined || to === undefined) throw new CommandFailure('copy needs --table and --to.')
  if (to === table) throw new CommandFailure('--table and --to must be different tables.')
  return to
}

const readEndArguments = (values: Values) => {
  const replaced = readText(values, 'replaced')
  const isRestored = values['restored'] === true
  if (replaced !== undefined && !isRestored) throw new CommandFailure('--replaced requires --restored.')
  // The replaced table shows what was used or deleted since. Without it, all of it could be.
  const unlessKnown = isRestored && replaced === undefined ? 'end' : 'keep'
  return {
    isRestored,
    replaced,
    passwords: readChoice(values, 'passwords', ['keep', 'change', 'remove'], 'keep'),
    apiTokens: readChoice(values, 'api-tokens', ['keep', 'end'], unlessKnown),
    recoveryCodes: readChoice(values, 'recovery-codes', ['keep', 'end'], unlessKnown),
    accessLinks: readChoice(values, 'access-links', ['keep', 'end'], 'keep'),
  } as const
}

const readChoice = <Choice extends string>(
  values: Values,
  name: string,
  choices: readonly Choice[],
  standard: Choice,
): Choice => {
  const text = readText(values, name)
  if (text === undefined) return standard
  const choice = choices.find((one) => one === text)
  if (choice === undefined) throw new CommandFailure(`--${name} must be ${choices.join(' or ')}.`)
  return choice
}

const readRate = (values: Values): number => {
  const text = readText(values, 'rate')
  if (text === undefined) return defaultItemsPerSecond
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new CommandFailure('--rate must be a number of items from 1 to 999999.')
  return Number(text)
}
