import { formatAuditHelp, readAuditArguments } from './audit/command.ts'
import { formatLeaksHelp, readLeaksArguments } from './leaks/command.ts'
import type { RunCommand } from './program.ts'
import { formatTableHelp, readTableArguments } from './table/command.ts'
import { formatUsersHelp, readUsersArguments } from './users/command.ts'

/** Imports or exports users. */
const runUsers: RunCommand = async (args, { env, program, createSignal }) => {
  const command = readUsersArguments(args, env)
  if (command.name === 'help') return formatUsersHelp(program)
  // Loaded late, because the AWS SDK would delay messages about invalid arguments.
  if (command.name === 'import')
    return (await import('./users/run-import.ts')).runImport(command, createSignal())
  return (await import('./users/run-export.ts')).runExport(command, createSignal())
}

/** Verifies the audit log, or prints its checkpoints. */
const runAudit: RunCommand = async (args, { env, program, createSignal }) => {
  const command = readAuditArguments(args, env)
  if (command.name === 'help') return formatAuditHelp(program)
  // Loaded late, because the AWS SDK would delay messages about invalid arguments.
  if (command.name === 'verify')
    return (await import('./audit/run-verify.ts')).runVerify(command, createSignal())
  return (await import('./audit/run-checkpoints.ts')).runCheckpoints(command)
}

/** Reports leaked credentials to a service. */
const runLeaks: RunCommand = async (args, { env, program, createSignal }) => {
  const command = readLeaksArguments(args, env)
  if (command.name === 'help') return formatLeaksHelp(program)
  return (await import('./leaks/run-leaks.ts')).runReport(command, createSignal())
}

/** Maintains the table. */
const runTable: RunCommand = async (args, { env, program, createSignal }) => {
  const command = readTableArguments(args, env)
  if (command.name === 'help') return formatTableHelp(program)
  // Loaded late, because the AWS SDK would delay messages about invalid arguments.
  if (command.name === 'prepare') return (await import('./table/run-prepare.ts')).runPrepare(command)
  const signal = createSignal()
  if (command.name === 'reencrypt')
    return (await import('./table/run-reencrypt.ts')).runReencrypt(command, signal)
  if (command.name === 'copy') return (await import('./table/run-copy.ts')).runCopy(command, signal)
  return (await import('./table/run-end-credentials.ts')).runEndCredentials(command, signal)
}

/** The groups of commands by their names. */
export const groups = new Map<string, RunCommand>(
  Object.entries({ users: runUsers, audit: runAudit, leaks: runLeaks, table: runTable }),
)
