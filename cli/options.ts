import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { getErrorMessage } from '../lib/util/error-message.ts'
import { CommandFailure, codeOf } from './command-failure.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export type Values = Readonly<Record<string, string | boolean | undefined>>

export interface Commands<Name extends string> {
  /** The script in package.json. */
  readonly script: string
  readonly optionsOf: Readonly<Record<Name, ParseArgsOptionsConfig>>
  /** The sentence for someone who names no command of the script. */
  readonly hint: string
}

/** A command of a script as it was entered. */
export interface EnteredCommand<Name extends string> {
  readonly name: Name
  readonly values: Values
  readonly positionals: readonly string[]
}

/** Reads which command of a script to run, with its options. @throws CommandFailure */
export const readCommand = <Name extends string>(
  { script, optionsOf, hint }: Commands<Name>,
  args: readonly string[],
  env: Environment,
): EnteredCommand<Name> | { readonly name: 'help' } => {
  const [name, ...rest] = args
  if (name === '--help' || name === '-h' || name === 'help') return { name: 'help' }
  const isKnown = (text: string | undefined): text is Name =>
    text !== undefined && Object.hasOwn(optionsOf, text)
  if (!isKnown(name)) throw new CommandFailure(name ? `Unknown command ${quote(name)}. ${hint}` : hint)
  const { values, positionals } = parseOptions(rest, optionsOf[name])
  if (values['help']) return { name: 'help' }
  rejectOptionsOfNpm({ script, command: name, options: optionsOf[name] }, values, env)
  return { name, values, positionals }
}

/** @throws CommandFailure */
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

/** The text of an option. @throws CommandFailure if it is empty */
export const readText = (values: Values, name: string): string | undefined => {
  if (values[name] === '') throw new CommandFailure(`--${name} needs a value.`)
  return values[name] as string | undefined
}

interface NpmCommand {
  readonly script: string
  readonly command: string
  readonly options: ParseArgsOptionsConfig
}

/** npm takes options before `--` as its own. A dry run would become a real import. @throws CommandFailure */
const rejectOptionsOfNpm = (
  { script, command, options }: NpmCommand,
  values: Values,
  env: Environment,
): void => {
  const taken = Object.keys(options).find(
    (option) => env[`npm_config_${option.replaceAll('-', '_')}`] && values[option] === undefined,
  )
  if (taken)
    throw new CommandFailure(
      `npm took --${taken} as its own option. Run npm run ${script} -- ${command} … --${taken} instead.`,
    )
}

/** The folder of the caller. npm runs scripts in the folder of the project. */
export const getCallerFolder = ({ npm_lifecycle_event, INIT_CWD }: Environment, script: string): string =>
  (npm_lifecycle_event === script && INIT_CWD) || process.cwd()

export const quote = (text: string): string => JSON.stringify(text.slice(0, 40))
