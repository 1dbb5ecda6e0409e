import { abortOnSignal } from './abort-on-signal.ts'
import { readAuditArguments } from './audit/audit-arguments.ts'
import { auditHelp } from './audit/audit-help.ts'
import { exitCodes } from './command-failure.ts'
import { describeFailure } from './describe-failure.ts'

/* The command `npm run audit`. */

const main = async (): Promise<number> => {
  const command = readAuditArguments(process.argv.slice(2), process.env)
  if (command.name === 'help') {
    process.stdout.write(auditHelp)
    return exitCodes.done
  }
  const signal = abortOnSignal()
  // Loaded late, because the AWS SDK would delay messages about invalid arguments.
  if (command.name === 'verify') return (await import('./audit/run-verify.ts')).runVerify(command, signal)
  return (await import('./audit/run-checkpoints.ts')).runCheckpoints(command)
}

// The command must not end in the middle of a line when no one reads its output.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${describeFailure(error)}\n`)
  return exitCodes.failed
})
