import { resolve } from 'node:path'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { getErrorMessage } from '../../lib/core/error-message.ts'
import { CommandFailure, codeOf } from './command-failure.ts'

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

type Environment = Readonly<Record<string, string | undefined>>

/** @throws CommandFailure with one sentence about an invalid argument. */
export const readArguments = (args: readonly string[], env: Environment): Command => {
  const [name, ...rest] = args
  if (name === '--help' || name === '-h' || name === 'help') return { name: 'help' }
  if (name !== 'import' && name !== 'export')
    throw new CommandFailure(name ? `Unknown command ${quote(name)}. ${commandHint}` : commandHint)
  const { values, positionals } = parseOptions(rest, optionsOf[name])
  if (values['help']) return { name: 'help' }
  rejectOptionsOfNpm(name, values, env)
  const [file, ...others] = positionals.map((path) => resolve(callerFolder(env), path))
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
    report: report === undefined ? `${file}.refused.jsonl` : resolve(callerFolder(env), report),
    isDryRun: values['dry-run'] === true,
  }
}

type Values = Readonly<Record<string, string | boolean | undefined>>

const parseOptions = (
  args: readonly string[],
  options: ParseArgsOptionsConfig,
): { readonly values: Values; readonly positionals: readonly string[] } => {
  try {
    const { values, positionals, tokens } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
      tokens: true,
    })
    const names = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []))
    const repeated = names.find((name, at) => names.indexOf(name) !== at)
    if (repeated) throw new CommandFailure(`--${repeated} may be given only once.`)
    return { values: values as Values, positionals }
  } catch (error) {
    throw error instanceof CommandFailure ? error : new CommandFailure(describeOptionError(error))
  }
}

const describeOptionError = (error: unknown): string => {
  const option = /'(-[^' ]*)/.exec(getErrorMessage(error))?.[1] ?? ''
  if (codeOf(error) === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `Unknown option ${option}. See --help.`
  return /does not take/.test(getErrorMessage(error))
    ? `${option} takes no value.`
    : `${option} needs a value.`
}

const readText = (values: Values, name: string): string | undefined => {
  if (values[name] === '') throw new CommandFailure(`--${name} needs a value.`)
  return values[name] as string | undefined
}

/** npm takes options before `--` as its own. A dry run would become a real import. */
const rejectOptionsOfNpm = (name: keyof typeof optionsOf, values: Values, env: Environment): void => {
  const taken = Object.keys(optionsOf[name]).find(
    (option) => env[`npm_config_${option.replaceAll('-', '_')}`] && values[option] === undefined,
  )
  if (taken)
    throw new CommandFailure(
      `npm took --${taken} as its own option. Run npm run users -- ${name} … --${taken} instead.`,
    )
}

/** The folder of the caller. npm runs scripts in the folder of the project. */
const callerFolder = ({ npm_lifecycle_event, INIT_CWD }: Environment): string =>
  (npm_lifecycle_event === 'users' && INIT_CWD) || process.cwd()

const quote = (text: string): string => JSON.stringify(text.slice(0, 40))
