import { Command, CommanderError } from 'commander'
import { CommandFailure } from './command-failure.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export type Values = Readonly<Record<string, string | boolean | undefined>>

/** The options of a command by their names. A flag takes no value. */
export type Options = Readonly<Record<string, 'flag' | 'text'>>

export interface Commands<Name extends string> {
  /** The name of the group. */
  readonly group: string
  readonly optionsOf: Readonly<Record<Name, Options>>
  /** The sentence for someone who names no command of the group. */
  readonly hint: string
}

/** A command of a group as it was entered. */
export interface EnteredCommand<Name extends string> {
  readonly name: Name
  readonly values: Values
  readonly positionals: readonly string[]
}

/** Runs a group of commands. Returns the exit code, or the text of `--help`. */
export type RunCommand = (
  args: readonly string[],
  context: {
    readonly env: Environment
    /** Creates the signal that aborts at the first Ctrl-C. */
    readonly createSignal: () => AbortSignal
  },
) => Promise<number | string>

/** Creates a command that throws its errors and prints nothing itself. */
export const createCommand = (name: string, { hasHelp = true } = {}): Command => {
  const command = new Command(name)
    .exitOverride()
    .configureOutput({ writeOut: () => {}, writeErr: () => {} })
    .helpCommand(false)
    .helpOption(false)
  return hasHelp ? command.option('-h, --help') : command
}

/** Reads which command of a group to run, with its options. @throws CommandFailure */
export const readCommand = <Name extends string>(
  { group: groupName, optionsOf, hint }: Commands<Name>,
  args: readonly string[],
): EnteredCommand<Name> | { readonly name: 'help' } => {
  if (args.length === 0) throw new CommandFailure(hint)
  if (args[0] === 'help') return { name: 'help' }
  // The options of a command are its own.
  const group = createCommand(groupName).enablePositionalOptions()
  let entered: EnteredCommand<Name> | { readonly name: 'help' } = { name: 'help' }
  for (const name of Object.keys(optionsOf) as Name[]) {
    const command = createCommand(name).argument('[words...]')
    for (const [option, kind] of Object.entries(optionsOf[name])) addOption(command, option, kind)
    group.addCommand(
      command.action((positionals: string[], given: Record<string, string | boolean>) => {
        if (given['help']) return
        const values = Object.fromEntries(
          command.options.map((one) => [one.name(), given[one.attributeName()]] as const),
        )
        entered = { name, values, positionals }
      }),
    )
  }
  const [name] = args
  if (name !== undefined && isNameOf(optionsOf, name)) rejectValuesOfFlags(args, optionsOf[name])
  parse(group, args, hint)
  return entered
}

const isNameOf = <Name extends string>(
  options: Readonly<Record<Name, Options>>,
  name: string,
): name is Name => Object.hasOwn(options, name)

/** The parser would report such an option as unknown. @throws CommandFailure */
const rejectValuesOfFlags = (args: readonly string[], options: Options): void => {
  const flag = Object.keys(options).find(
    (name) => options[name] === 'flag' && args.some((arg) => arg.startsWith(`--${name}=`)),
  )
  if (flag !== undefined) throw new CommandFailure(`--${flag} takes no value.`)
}

const addOption = (command: Command, name: string, kind: 'flag' | 'text'): void => {
  command.option(kind === 'flag' ? `--${name}` : `--${name} <value>`)
  let count = 0
  command.on(`option:${name}`, (value: string | null) => {
    if (++count > 1) throw new CommandFailure(`--${name} may be given only once.`)
    // Another option is no value: it would be the name of a table.
    if (kind === 'text' && (value === '' || value?.startsWith('-')))
      throw new CommandFailure(`--${name} needs a value.`)
  })
}

/** Parses arguments and runs the action of the command. @throws CommandFailure with one sentence if they are invalid */
export const parse = (command: Command, args: readonly string[], hint: string): void => {
  try {
    command.parse([...args], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    const sentence = describeError(error, hint)
    if (sentence !== undefined) throw new CommandFailure(sentence)
  }
}

const describeError = ({ code, message }: CommanderError, hint: string): string | undefined => {
  const [, name = ''] = /'([^'= ]*)/.exec(message) ?? []
  const [, suggestion] = /\(Did you mean (?:one of )?(.*)\?\)/.exec(message) ?? []
  const question = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
  switch (code) {
    case 'commander.unknownCommand':
      return `Unknown command ${quote(name)}.${question} ${hint}`
    case 'commander.unknownOption':
      return `Unknown option ${name}.${question} See --help.`
    case 'commander.optionMissingArgument':
      return `${name} needs a value.`
    case 'commander.help':
      return undefined
    default:
      return `${message.replace(/^error: /, '')}.`
  }
}

/** The text of an option. */
export const readText = (values: Values, name: string): string | undefined =>
  values[name] as string | undefined

export const quote = (text: string): string => JSON.stringify(text.slice(0, 40))
