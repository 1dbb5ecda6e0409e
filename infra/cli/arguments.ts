import { resolve } from 'node:path'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { CommandFailure, codeOf, messageOf } from './failure.ts'

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

const commandHint = 'Say import FILE or export [FILE]; --help tells more.'

type Environment = Readonly<Record<string, string | undefined>>

/** @throws CommandFailure with one sentence on what isn't as `--help` says. */
export const readArguments = (args: readonly string[], env: Environment): Command => {
  const [name, ...rest] = args
  if (name === '--help' || name === '-h' || name === 'help') return { name: 'help' }
  if (name !== 'import' && name !== 'export')
    throw new CommandFailure(name ? `There is no command ${quoted(name)}. ${commandHint}` : commandHint)
  const { values, positionals } = parsed(rest, optionsOf[name])
  if (values['help']) return { name: 'help' }
  requireNothingKeptByNpm(name, values, env)
  const [file, ...others] = positionals.map((path) => resolve(startFolder(env), path))
  if (others.length > 0)
    throw new CommandFailure(`${name} takes one FILE, and ${positionals.length} were given.`)
  const table = textOf(values, 'table')
  if (name === 'export') return { name, file, table, withSecrets: values['with-secrets'] === true }
  if (file === undefined) throw new CommandFailure('import needs a FILE; --help tells more.')
  const report = textOf(values, 'report')
  return {
    name,
    file,
    table,
    report: report === undefined ? `${file}.refused.jsonl` : resolve(startFolder(env), report),
    isDryRun: values['dry-run'] === true,
  }
}

type Values = Readonly<Record<string, string | boolean | undefined>>

const parsed = (
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
    if (repeated) throw new CommandFailure(`--${repeated} is there more than once.`)
    return { values: values as Values, positionals }
  } catch (error) {
    throw error instanceof CommandFailure ? error : new CommandFailure(optionSentence(error))
  }
}

const optionSentence = (error: unknown): string => {
  const option = /'(-[^' ]*)/.exec(messageOf(error))?.[1] ?? ''
  if (codeOf(error) === 'ERR_PARSE_ARGS_UNKNOWN_OPTION')
    return `There is no option ${option} here; --help lists those there are.`
  return /does not take/.test(messageOf(error)) ? `${option} takes no value.` : `${option} needs a value.`
}

const textOf = (values: Values, name: string): string | undefined => {
  if (values[name] === '') throw new CommandFailure(`--${name} needs a value.`)
  return values[name] as string | undefined
}

/** Without `--` before them, npm takes options for its own: a dry run would be a real one. */
const requireNothingKeptByNpm = (name: keyof typeof optionsOf, values: Values, env: Environment): void => {
  const kept = Object.keys(optionsOf[name]).find(
    (option) => env[`npm_config_${option.replaceAll('-', '_')}`] && values[option] === undefined,
  )
  if (kept)
    throw new CommandFailure(`npm took --${kept} for itself: write npm run users -- ${name} … --${kept}.`)
}

/** npm runs scripts in the project's folder, wherever it was called. */
const startFolder = ({ npm_lifecycle_event, INIT_CWD }: Environment): string =>
  (npm_lifecycle_event === 'users' && INIT_CWD) || process.cwd()

const quoted = (text: string): string => JSON.stringify(text.slice(0, 40))
