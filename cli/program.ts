import { Command, CommanderError, Option } from 'commander'
import { CommandFailure } from '../local/command-failure.ts'
import { wrapText } from './report.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** An option, and its line in the help. Without `value` it is a flag. */
interface OptionRow {
  /** What follows the option, such as `NAME`. */
  readonly value?: string
  readonly text: string
  readonly default?: string
  readonly choices?: readonly string[]
  readonly isRequired?: true
}

/** A command, from which its parser and its help follow. */
export interface CommandRow {
  /** `FILE` is required, and `[FILE]` is not. */
  readonly argument?: string
  /** The first line says what the command does. The help of a group shows it alone. */
  readonly text: string
  readonly options?: Readonly<Record<string, OptionRow>>
  /** The environment variables that the command reads. */
  readonly environment?: Readonly<Record<string, string>>
  readonly exitCodes: string
}

/** Commands about one subject. */
export interface GroupRow {
  readonly text: string
  readonly commands: Readonly<Record<string, CommandRow>>
}

type ValueOf<Row> = Row extends { readonly value: string }
  ?
      | (Row extends { readonly choices: readonly (infer Choice)[] } ? Choice : string)
      | (Row extends { readonly isRequired: true } | { readonly default: string } ? never : undefined)
  : boolean

type ArgumentOf<Row> = Row extends { readonly argument: infer Argument }
  ? Argument extends `[${string}`
    ? string | undefined
    : string
  : undefined

/** The values of the options of a command by their names, and its argument. */
export type Entered<Name extends string, Row extends CommandRow> = {
  readonly name: Name
  readonly values: { readonly [Option in keyof Row['options']]: ValueOf<Row['options'][Option]> }
  readonly argument: ArgumentOf<Row>
}

export interface Help {
  readonly name: 'help'
  readonly text: string
}

/** The table of commands that work on local mode as well. */
export const tableOption = { value: 'NAME', text: 'a deployed table, instead of local mode' } as const
export const tableVariables = {
  AWS_REGION: 'the region of the table. It needs AWS credentials in the environment, too',
  DATA_DIR: 'the data of local mode, instead of .local',
} as const
export const vaultVariables = {
  ...tableVariables,
  KMS_KEY_ID: 'the key that encrypts secrets inside a deployed table',
} as const
export const importExitCodes = '0 all imported, 1 some lines refused, 2 failed, 130 interrupted'

/** Runs a command or a group of commands. Returns the exit code, or the text of `--help`. */
export type RunCommand = (
  args: readonly string[],
  context: {
    readonly env: Environment
    /** Creates the signal that aborts at the first Ctrl-C. */
    readonly createSignal: () => AbortSignal
  },
) => Promise<number | string>

/** The width of the help, which fits every terminal. */
const helpWidth = 80

/** Creates a command that throws its errors and prints nothing itself. */
export const createCommand = (name: string): Command =>
  new Command(name)
    .exitOverride()
    .configureOutput({ writeOut: () => {}, writeErr: () => {} })
    .configureHelp({
      helpWidth,
      minWidthToWrap: 20,
      subcommandTerm: (command) => `${command.name()} ${command.usage()}`.trim(),
      subcommandDescription: (command) => command.description().split('\n')[0] ?? '',
    })
    .helpCommand(false)
    .helpOption(false)

/** The sentence for someone who names no command. */
export const formatHint = (names: readonly string[]): string =>
  `Use ${names.join(', ').replace(/, ([^,]*)$/, ' or $1')}. See --help.`

const createProgram = (): Command => createCommand('npm exec --no -- latchkey')

const rowsOf = (row: CommandRow) => Object.entries(row.options ?? {})

/** Builds a command from its row. The action gets its words and options. */
const buildCommand = (name: string, row: CommandRow): Command => {
  const required = rowsOf(row).flatMap(([option, { isRequired, value }]) =>
    isRequired ? `--${option} ${value}` : [],
  )
  const command = createCommand(name)
    .description(row.text)
    .usage([row.argument ?? '', ...required, '[options]'].filter(Boolean).join(' '))
    .argument('[words...]')
  for (const [option, { value, text, default: standard, choices }] of rowsOf(row)) {
    const built = new Option(value ? `--${option} <${value}>` : `--${option}`, text)
    if (choices) built.choices(choices)
    if (standard !== undefined) built.default(standard, standard)
    command.addOption(built)
    let count = 0
    command.on(`option:${option}`, (given: string | null) => {
      if (++count > 1) throw new CommandFailure(`--${option} may be given only once.`)
      // Another option is no value: it would be the name of a table.
      if (value !== undefined && (given === '' || given?.startsWith('-')))
        throw new CommandFailure(`--${option} needs a value.`)
    })
  }
  return command.option('-h, --help', 'shows this help')
}

/** The help of a command: that of commander, with environment variables and exit codes. */
const formatHelp = (command: Command, { environment = {}, exitCodes }: CommandRow): string => {
  const helper = Object.assign(command.createHelp(), { helpWidth })
  const names = Object.keys(environment)
  const width = Math.max(0, ...names.map((name) => name.length))
  const lines = names.map((name) => helper.formatItem(name, width, environment[name] ?? '', helper))
  const variables = lines.length === 0 ? '' : `\nEnvironment variables:\n${lines.join('\n')}\n`
  return `${command.helpInformation()}${variables}\n${wrapText(`Exit code: ${exitCodes}.`, '')}\n`
}

/** Reads which command of a group to run, with its options. @throws CommandFailure */
export const readCommand = <Commands extends GroupRow['commands']>(
  groupName: string,
  { text, commands }: { readonly text: string; readonly commands: Commands },
  args: readonly string[],
): { [Name in keyof Commands & string]: Entered<Name, Commands[Name]> }[keyof Commands & string] | Help => {
  type Any = { [Name in keyof Commands & string]: Entered<Name, Commands[Name]> }[keyof Commands & string]
  const hint = formatHint(Object.keys(commands))
  if (args.length === 0) throw new CommandFailure(hint)
  const group = createCommand(groupName).description(text).usage('COMMAND').enablePositionalOptions()
  createProgram().addCommand(group.option('-h, --help', 'shows this help, or that of a command'))
  let entered: Any | undefined
  let help = ''
  for (const [name, row] of Object.entries(commands)) {
    const command = buildCommand(name, row)
    group.addCommand(
      command.action((words: string[], given: Given) => {
        if (given['help']) help = formatHelp(command, row)
        else entered = readEntered(name, row, words, given) as Any
      }),
    )
  }
  if (args[0] !== 'help') parse(group, args, hint)
  return entered ?? { name: 'help', text: help || group.helpInformation() }
}

/** Reads the options of a command that belongs to no group. @throws CommandFailure */
export const readSingleCommand = <const Name extends string, Row extends CommandRow>(
  name: Name,
  row: Row,
  args: readonly string[],
): Entered<Name, Row> | Help => {
  const command = buildCommand(name, row)
  createProgram().addCommand(command)
  let entered: Entered<Name, Row> | undefined
  command.action((words: string[], given: Given) => {
    if (!given['help']) entered = readEntered(name, row, words, given)
  })
  if (args[0] !== 'help') parse(command, args, '')
  return entered ?? { name: 'help', text: formatHelp(command, row) }
}

type Given = Readonly<Record<string, string | boolean>>

const readEntered = <Name extends string, Row extends CommandRow>(
  name: Name,
  row: Row,
  words: readonly string[],
  given: Given,
): Entered<Name, Row> => {
  const [word, ...others] = words
  const argument = row.argument?.replace(/[[\]]/g, '')
  if (argument === undefined && word !== undefined)
    throw new CommandFailure(`${name} takes no ${quote(word)}.`)
  if (others.length > 0)
    throw new CommandFailure(`${name} takes one ${argument}, but ${words.length} were given.`)
  if (word === undefined && argument !== undefined && argument === row.argument)
    throw new CommandFailure(`${name} needs ${argument}. See --help.`)
  const values = rowsOf(row).map(([option, { value, text, isRequired }]) => {
    const found = given[option.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())]
    if (isRequired && found === undefined)
      throw new CommandFailure(`${name} needs --${option} ${value}: ${text}. See --help.`)
    return [option, value === undefined ? found === true : found]
  })
  return { name, argument: word, values: Object.fromEntries(values) } as Entered<Name, Row>
}

/** Parses arguments and runs the action of the command. @throws CommandFailure with one sentence if they are invalid */
export const parse = (command: Command, args: readonly string[], hint: string): void => {
  try {
    command.parse([...args], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    const sentence = describeError(
      error,
      hint,
      command.commands.find((one) => one.name() === args[0]) ?? command,
    )
    if (sentence !== undefined) throw new CommandFailure(sentence)
  }
}

const describeError = (
  { code, message }: CommanderError,
  hint: string,
  entered: Command,
): string | undefined => {
  const [, name = ''] = /'([^'= ]*)/.exec(message) ?? []
  const [, suggestion] = /\(Did you mean (?:one of )?(.*)\?\)/.exec(message) ?? []
  const question = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
  switch (code) {
    case 'commander.unknownCommand':
      return `Unknown command ${quote(name)}.${question} ${hint}`
    case 'commander.unknownOption':
      if (entered.options.some(({ long }) => long === name)) return `${name} takes no value.`
      return `Unknown option ${name}.${question} See --help.`
    case 'commander.optionMissingArgument':
      return `${name} needs a value.`
    case 'commander.help':
      return undefined
    default:
      return `${message.replace(/^error: /, '')}.`
  }
}

export const quote = (text: string): string => JSON.stringify(text.slice(0, 40))

/** Reads the origin of a service. Credentials are sent there, so plain http is for this machine alone. @throws CommandFailure */
export const readUrl = (command: string, text: string): string => {
  const url = URL.parse(text)
  if (!url || url.origin !== text || !/^https?:$/.test(url.protocol))
    throw new CommandFailure(
      `${command} needs --url with the origin of the service, such as https://auth.example.com.`,
    )
  if (url.protocol === 'http:' && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname))
    throw new CommandFailure('--url must begin with https://, except for a service on this machine.')
  return url.origin
}
