import { resolve } from 'node:path'
import type { ParseArgsOptionsConfig } from 'node:util'
import { CommandFailure } from './command-failure.ts'
import { type Environment, getCallerFolder, readCommand, readText } from './options.ts'

export type Command =
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

const common = { help: { type: 'boolean', short: 'h' }, table: { type: 'string' } } as const
const optionsOf = {
  import: { ...common, 'dry-run': { type: 'boolean' }, report: { type: 'string' } },
  export: { ...common, 'with-secrets': { type: 'boolean' } },
} as const satisfies Record<string, ParseArgsOptionsConfig>

const commandHint = 'Use import FILE or export [FILE]. See --help.'

/** @throws CommandFailure with one sentence about an invalid argument. */
export const readArguments = (args: readonly string[], env: Environment): Command => {
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
