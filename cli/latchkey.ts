#!/usr/bin/env node

import { findNearestName } from '../lib/kernel/options/nearest-name.ts'
import { getErrorMessage } from '../lib/kernel/util/text.ts'
import { auditHelp, readAuditArguments } from './audit/command.ts'
import { CommandFailure, codeOf, exitCodes } from './command-failure.ts'
import { leaksHelp, readLeaksArguments } from './leaks/command.ts'
import { migrateHelp, readMigrateArguments } from './migrate/command.ts'
import { createCommand, parse, quote, type RunCommand } from './program.ts'
import { readSignInArguments, signInHelp } from './sign-in/command.ts'
import { readTableArguments, tableHelp } from './table/command.ts'
import { readUsersArguments, usersHelp } from './users/command.ts'
import { readVerifyArguments, verifyHelp } from './verify/command.ts'

/** Imports or exports users, or rescues an administrator. */
const runUsers: RunCommand = async (args, { createSignal }) => {
  const command = readUsersArguments(args)
  if (command.name === 'help') return usersHelp
  // Loaded late, because the AWS SDK would delay messages about invalid arguments.
  if (command.name === 'import')
    return (await import('./users/run-import.ts')).runImport(command, createSignal())
  if (command.name === 'rescue') return (await import('./users/run-rescue.ts')).runRescue(command)
  return (await import('./users/run-export.ts')).runExport(command, createSignal())
}

/** Moves users from another system. */
const runMigrate: RunCommand = async (args, { createSignal }) => {
  const command = readMigrateArguments(args)
  if (command.name === 'help') return migrateHelp
  // Loaded late, because the AWS SDK would delay messages about invalid arguments.
  if (command.name === 'undo') return (await import('./migrate/run-undo.ts')).runUndo(command, createSignal())
  return (await import('./migrate/run-import.ts')).runImport(command, createSignal())
}

/** Verifies or exports the audit log, or prints its checkpoints. */
const runAudit: RunCommand = async (args, { createSignal }) => {
  const command = readAuditArguments(args)
  if (command.name === 'help') return auditHelp
  // Loaded late, because the AWS SDK would delay messages about invalid arguments.
  if (command.name === 'verify')
    return (await import('./audit/run-verify.ts')).runVerify(command, createSignal())
  if (command.name === 'export')
    return (await import('./audit/run-export.ts')).runExport(command, createSignal())
  return (await import('./audit/run-checkpoints.ts')).runCheckpoints(command)
}

/** Reports leaked credentials to a service. */
const runLeaks: RunCommand = async (args, { createSignal }) => {
  const command = readLeaksArguments(args)
  if (command.name === 'help') return leaksHelp
  return (await import('./leaks/run-leaks.ts')).runReport(command, createSignal())
}

/** Maintains the table. */
const runTable: RunCommand = async (args, { createSignal }) => {
  const command = readTableArguments(args)
  if (command.name === 'help') return tableHelp
  // Loaded late, because the AWS SDK would delay messages about invalid arguments.
  if (command.name === 'prepare') return (await import('./table/run-prepare.ts')).runPrepare(command)
  const signal = createSignal()
  if (command.name === 'reencrypt')
    return (await import('./table/run-reencrypt.ts')).runReencrypt(command, signal)
  if (command.name === 'copy') return (await import('./table/run-copy.ts')).runCopy(command, signal)
  if (command.name === 'export') return (await import('./table/run-export.ts')).runExport(command, signal)
  if (command.name === 'import') return (await import('./table/run-import.ts')).runImport(command, signal)
  return (await import('./table/run-end-credentials.ts')).runEndCredentials(command, signal)
}

/** Verifies a deployed service. */
const runVerify: RunCommand = async (args, { env, createSignal }) => {
  const command = readVerifyArguments(args, env)
  if (command.name === 'help') return verifyHelp
  return (await import('./verify/run-verify.ts')).runVerify(command, createSignal())
}

/** Signs the user of this terminal in or out, or says who they are. */
const createRunSignIn =
  (name: 'login' | 'logout' | 'whoami'): RunCommand =>
  async (args, { env, createSignal }) => {
    const command = readSignInArguments(name, args, env)
    if (command.name === 'help') return signInHelp
    if (command.name === 'login')
      return (await import('./sign-in/run-login.ts')).runLogin(command, env, createSignal())
    if (command.name === 'logout') return (await import('./sign-in/run-logout.ts')).runLogout(env)
    return (await import('./sign-in/run-whoami.ts')).runWhoami(env)
  }

/** The groups of commands by their names. */
const groups = new Map<string, RunCommand>(
  Object.entries({
    users: runUsers,
    migrate: runMigrate,
    audit: runAudit,
    leaks: runLeaks,
    table: runTable,
    verify: runVerify,
    login: createRunSignIn('login'),
    logout: createRunSignIn('logout'),
    whoami: createRunSignIn('whoami'),
  }),
)

const unreachableCodes = ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EHOSTUNREACH', 'ETIMEDOUT', 'EPIPE']

/** One sentence about any error, for the person at the terminal. */
const describeFailure = (error: unknown): string => {
  if (error instanceof CommandFailure) return error.message
  const name = error instanceof Error ? error.name : ''
  const message = firstLineOf(getErrorMessage(error))
  if (name === 'ResourceNotFoundException')
    return 'The table does not exist in this account and region. Check --table and AWS_REGION.'
  if (name === 'CredentialsProviderError') return 'There are no AWS credentials in the environment.'
  if (/region is missing/i.test(message))
    return 'No region is set. Set AWS_REGION to the region of the table.'
  if (['ConnectionError', 'TimeoutError'].includes(name) || unreachableCodes.includes(codeOf(error)))
    return 'The table cannot be reached. Run the same command again to resume.'
  // AWS explains its errors. Other errors have a sentence of Latchkey.
  return name.endsWith('Exception') ? `DynamoDB refused the call (${name}): ${message}` : message
}

const firstLineOf = (text: string): string => text.split('\n')[0] ?? ''

/** Signals this close together are one: the terminal sends Ctrl-C to this process, and npx sends it again. */
const sameSignalMs = 300

/** Returns a signal that aborts at the first Ctrl-C, to end cleanly. A second Ctrl-C ends the process at once. */
const abortOnSignal = (): AbortSignal => {
  const controller = new AbortController()
  let since: number | undefined
  const onSignal = (): void => {
    const now = performance.now()
    if (since !== undefined && now - since > sameSignalMs) process.exit(exitCodes.interrupted)
    since ??= now
    controller.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)
  return controller.signal
}

/** The output of `latchkey --help`. Every line fits a terminal of 80 columns. */
const help = `Runs Latchkey on this machine, and maintains its data.

  latchkey start       starts local mode: the service with its own database
  latchkey users ...   imports, exports or rescues users
  latchkey migrate ... moves users from another system
  latchkey audit ...   verifies or exports the audit log
  latchkey leaks ...   reports leaked credentials
  latchkey table ...   maintains the table of a service
  latchkey verify ...  verifies that a deployed service works
  latchkey login ...   signs you in at a service from a terminal
  latchkey whoami      prints who is signed in
  latchkey logout      signs you out again
  latchkey --version   prints the version

Each command explains itself with --help, as in latchkey users --help.

start reads its settings from environment variables, such as PORT, DATA_DIR and
ADMIN_PASSWORD. latchkey start --help lists all of them.

Exit code: 0 stopped or done, 1 failed to run, 2 wrong arguments. The other
commands have their own exit codes.
`

const hint =
  'Use start, users, migrate, audit, leaks, table, verify, login, whoami or logout. See latchkey --help.'

const start = async (words: readonly string[]): Promise<void> => {
  const [word] = words
  if (word === '--help' || word === '-h') {
    const { startHelp } = await import('./start-help.prebuilt.ts')
    process.stdout.write(`${help}\nThe settings of start:\n\n${startHelp}`)
  } else if (word !== undefined) throw await refuseArgument(word)
  else await import('../local/start.ts')
}

/** An argument such as `--prot=4000` is probably meant as a setting. */
const refuseArgument = async (word: string): Promise<CommandFailure> => {
  const { startVariables } = await import('./start-help.prebuilt.ts')
  const [name = ''] = word.replace(/^-*/, '').replaceAll('-', '_').split('=')
  const nearest = findNearestName(name, [...startVariables, 'help'])
  const question = nearest ? ` Did you mean ${nearest === 'help' ? '--help' : `${nearest}=…`}?` : ''
  return new CommandFailure(
    `start takes no argument ${quote(word)}.${question} Its settings are environment variables. See --help.`,
  )
}

const runGroup = async (run: RunCommand, words: readonly string[]) => {
  // The command must not end in the middle of a line when no one reads its output.
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
  const context = { env: process.env, createSignal: abortOnSignal }
  const result = await run(words, context)
  if (typeof result === 'number') process.exitCode = result
  else process.stdout.write(result)
}

const printHelp = async (): Promise<void> => {
  process.stdout.write(help)
}

const printVersion = async (): Promise<void> => {
  process.stdout.write(`${(await import('../lib/kernel/util/version.prebuilt.ts')).version}\n`)
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
  for (const [name, run] of groups) add(name, (words) => runGroup(run, words))
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
