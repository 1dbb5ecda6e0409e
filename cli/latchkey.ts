#!/usr/bin/env node
import { abortOnSignal } from './abort-on-signal.ts'
import { CommandFailure, exitCodes } from './command-failure.ts'
import { describeFailure } from './describe-failure.ts'
import { groups } from './groups.ts'
import { createCommand, parse, quote, type RunCommand } from './program.ts'

/* The command `latchkey` of the package. `npm run users` and others are parts of it. */

/** The output of `latchkey --help`. Every line fits a terminal of 80 columns. */
const help = `Runs Latchkey on this machine, and maintains its data.

  latchkey start       starts local mode: the service with its own database
  latchkey users ...   imports or exports users
  latchkey audit ...   verifies the audit log
  latchkey leaks ...   reports leaked credentials
  latchkey table ...   maintains the table of a service
  latchkey --version   prints the version

Each command explains itself with --help, as in latchkey users --help.

start reads its settings from environment variables, such as PORT, DATA_DIR and
ADMIN_PASSWORD. latchkey start --help lists all of them.

Exit code: 0 stopped or done, 1 failed to run, 2 wrong arguments. The other
commands have their own exit codes.
`

const hint = 'Use start, users, audit, leaks or table. See latchkey --help.'

/** The text that starts a group of commands: the script of the project, or the command of the package. */
const nameProgram = (group: string): string =>
  process.env['npm_lifecycle_event'] === group || import.meta.url.endsWith('.ts')
    ? `npm run ${group} --`
    : `npx latchkey ${group}`

const start = async (words: readonly string[]): Promise<void> => {
  const [word] = words
  if (word === '--help' || word === '-h') {
    const { startHelp } = await import('./start-help.prebuilt.ts')
    process.stdout.write(`${help}\nThe settings of start:\n\n${startHelp}`)
  } else if (word !== undefined)
    throw new CommandFailure(
      `start takes no argument ${quote(word)}. Its settings are environment variables. See --help.`,
    )
  else await import('../local/start.ts')
}

const runGroup = async (name: string, run: RunCommand, words: readonly string[]) => {
  // The command must not end in the middle of a line when no one reads its output.
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
  const context = { env: process.env, program: nameProgram(name), createSignal: abortOnSignal }
  const result = await run(words, context)
  if (typeof result === 'number') process.exitCode = result
  else process.stdout.write(result)
}

const printHelp = async (): Promise<void> => {
  process.stdout.write(help)
}

const printVersion = async (): Promise<void> => {
  process.stdout.write(`${(await import('../lib/util/version.prebuilt.ts')).version}\n`)
}

/** Returns what the arguments ask for. @throws CommandFailure */
const readProgram = (args: readonly string[]): (() => Promise<void>) => {
  if (args.length === 0) throw new CommandFailure(hint)
  let chosen = printHelp
  if (args[0] === 'help') return chosen
  const program = createCommand('latchkey').option('--version').enablePositionalOptions()
  const add = (name: string, action: (words: string[]) => Promise<void>) => {
    // Each group parses its own options.
    const command = createCommand(name, { hasHelp: false }).argument('[words...]').passThroughOptions()
    program.addCommand(
      command.allowUnknownOption().action((words: string[]) => {
        chosen = () => action(words)
      }),
    )
  }
  add('start', start)
  for (const [name, run] of groups) add(name, (words) => runGroup(name, run, words))
  program.on('option:version', () => {
    chosen = printVersion
  })
  parse(program, args, hint)
  return chosen
}

try {
  await readProgram(process.argv.slice(2))()
} catch (error) {
  process.stderr.write(`${describeFailure(error)}\n`)
  process.exitCode = exitCodes.failed
}
