#!/usr/bin/env node

import { findNearestName } from '../lib/kernel/options/nearest-name.ts'
import { getErrorMessage } from '../lib/kernel/util/error-message.ts'
import { CommandFailure, codeOf } from '../local/command-failure.ts'
import { audit, readAuditArguments } from './audit/command.ts'
import { config, configExitCodes, readConfigArguments } from './config/command.ts'
import { exitCodes } from './exit-codes.ts'
import { init, readInitArguments } from './init/command.ts'
import { leaks, readLeaksArguments } from './leaks/command.ts'
import { leftovers, readLeftoversArguments } from './leftovers/command.ts'
import { migrate, readMigrateArguments } from './migrate/command.ts'
import { organizations, readOrganizationsArguments } from './organizations/command.ts'
import { createCommand, formatHint, parse, quote, type RunCommand } from './program.ts'
import { readSignInArguments, signIn } from './sign-in/command.ts'
import { readTableArguments, table } from './table/command.ts'
import { readUsersArguments, users } from './users/command.ts'
import { readVerifyArguments, verify } from './verify/command.ts'

/** Imports or exports users, or rescues an administrator. */
const runUsers: RunCommand = async (args, { createSignal }) => {
  const command = readUsersArguments(args)
  if (command.name === 'help') return command.text
  // Loaded late, because the AWS SDK would delay messages about invalid arguments.
  if (command.name === 'import')
    return (await import('./users/run-import.ts')).runImport(command, createSignal())
  if (command.name === 'rescue') return (await import('./users/run-rescue.ts')).runRescue(command)
  return (await import('./users/run-export.ts')).runExport(command, createSignal())
}

/** Imports organizations. */
const runOrganizations: RunCommand = async (args, { createSignal }) => {
  const command = readOrganizationsArguments(args)
  if (command.name === 'help') return command.text
  return (await import('./organizations/run-import.ts')).runImport(command, createSignal())
}

/** Moves users from another system. */
const runMigrate: RunCommand = async (args, { createSignal }) => {
  const command = readMigrateArguments(args)
  if (command.name === 'help') return command.text
  // Loaded late, because the AWS SDK would delay messages about invalid arguments.
  if (command.name === 'undo') return (await import('./migrate/run-undo.ts')).runUndo(command, createSignal())
  return (await import('./migrate/run-import.ts')).runImport(command, createSignal())
}

/** Verifies or exports the audit log, or prints its checkpoints. */
const runAudit: RunCommand = async (args, { createSignal }) => {
  const command = readAuditArguments(args)
  if (command.name === 'help') return command.text
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
  if (command.name === 'help') return command.text
  return (await import('./leaks/run-leaks.ts')).runReport(command, createSignal())
}

/** Keeps what is configured equal to a file. */
const runConfig: RunCommand = async (args, { createSignal }) => {
  const command = readConfigArguments(args)
  if (command.name === 'help') return command.text
  // Loaded late, because the AWS SDK would delay messages about invalid arguments.
  const run = await import('./config/run-config.ts')
  if (command.name === 'validate') return run.runValidate(command)
  if (command.name === 'diff') return run.runDiff(command)
  if (command.name === 'apply') return run.runApply(command, createSignal())
  if (command.name === 'transfer') return run.runTransfer(command, createSignal())
  return run.runConfigExport(command, createSignal())
}

/** Writes a new product. */
const runInit: RunCommand = async (args) => {
  const command = readInitArguments(args)
  if (command.name === 'help') return command.text
  return (await import('./init/run-init.ts')).runInit(command)
}

/** Maintains the table. */
const runTable: RunCommand = async (args, { createSignal }) => {
  const command = readTableArguments(args)
  if (command.name === 'help') return command.text
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
  if (command.name === 'help') return command.text
  return (await import('./verify/run-verify.ts')).runVerify(command, createSignal())
}

/** Lists or removes what remains of a stack. */
const runLeftovers: RunCommand = async (args, { createSignal }) => {
  const command = readLeftoversArguments(args)
  if (command.name === 'help') return command.text
  return (await import('./leftovers/run-leftovers.ts')).runLeftovers(command, createSignal())
}

/** Signs the user of this terminal in or out, or says who they are. */
const createRunSignIn =
  (name: 'login' | 'logout' | 'whoami'): RunCommand =>
  async (args, { env, createSignal }) => {
    const command = readSignInArguments(name, args, env)
    if (command.name === 'help') return command.text
    if (command.name === 'login')
      return (await import('./sign-in/run-login.ts')).runLogin(command, env, createSignal())
    if (command.name === 'logout') return (await import('./sign-in/run-logout.ts')).runLogout(env)
    return (await import('./sign-in/run-whoami.ts')).runWhoami(env)
  }

/** The command that starts local mode. Its options are environment variables. */
const start: RunCommand = async ([word]) => {
  if (word === undefined) await import('../local/start.ts')
  else if (word !== '--help' && word !== '-h') throw await refuseArgument(word)
  else {
    const { startHelp } = await import('./start-help.prebuilt.ts')
    return `Runs Latchkey on this machine.

Its settings are environment variables:

${startHelp}
Exit code: 0 stopped, 1 failed to run, 2 wrong arguments.
`
  }
  return ''
}

const startText =
  'Starts local mode: the service with its own database. Its settings are environment variables, such as PORT, DATA_DIR and ADMIN_PASSWORD.'

/** The commands by their names, with their texts, and the exit code of a failure if it differs. */
const commands = new Map<string, readonly [text: string, run: RunCommand, failureCode?: number]>([
  ['start', [startText, start]],
  ['init', [init.text, runInit]],
  ['config', [config.text, runConfig, configExitCodes.failed]],
  ['users', [users.text, runUsers]],
  ['organizations', [organizations.text, runOrganizations]],
  ['migrate', [migrate.text, runMigrate]],
  ['audit', [audit.text, runAudit]],
  ['leaks', [leaks.text, runLeaks]],
  ['table', [table.text, runTable]],
  ['verify', [verify.text, runVerify]],
  ['leftovers', [leftovers.text, runLeftovers]],
  ['login', [signIn.login.text, createRunSignIn('login')]],
  ['whoami', [signIn.whoami.text, createRunSignIn('whoami')]],
  ['logout', [signIn.logout.text, createRunSignIn('logout')]],
])

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

const runCommand = async (run: RunCommand, words: readonly string[]): Promise<void> => {
  // The command must not end in the middle of a line when no one reads its output.
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
  const result = await run(words, { env: process.env, createSignal: abortOnSignal })
  if (typeof result === 'number') process.exitCode = result
  else process.stdout.write(result)
}

const printVersion = async (): Promise<void> => {
  process.stdout.write(`${(await import('../lib/kernel/util/version.prebuilt.ts')).version}\n`)
}

/** The exit code if the command fails. */
let codeOfFailure: number = exitCodes.failed

/** Returns what the arguments ask for. @throws CommandFailure */
const readProgram = (args: readonly string[]): (() => Promise<void>) => {
  const hint = formatHint([...commands.keys()])
  if (args.length === 0) throw new CommandFailure(hint)
  const program = createCommand('npm exec --no -- latchkey')
    .description('Runs Latchkey on this machine, and maintains its data.')
    .usage('COMMAND')
    .option('--version', 'prints the version')
    .option('-h, --help', 'shows this help, or that of a command')
    .enablePositionalOptions()
  let chosen = async (): Promise<void> => {
    process.stdout.write(program.helpInformation())
  }
  for (const [name, [text, run, failureCode = exitCodes.failed]] of commands) {
    // Each command parses its own options.
    const command = createCommand(name).description(text).usage(' ').argument('[words...]')
    program.addCommand(
      command
        .passThroughOptions()
        .allowUnknownOption()
        .action((words: string[]) => {
          chosen = () => {
            codeOfFailure = failureCode
            return runCommand(run, words)
          }
        }),
    )
  }
  program.on('option:version', () => {
    chosen = printVersion
  })
  if (args[0] !== 'help') parse(program, args, hint)
  return chosen
}

try {
  await readProgram(process.argv.slice(2))()
} catch (error) {
  process.stderr.write(`${describeFailure(error)}\n`)
  process.exitCode = codeOfFailure
}
