import { abortOnSignal } from './abort-on-signal.ts'
import { exitCodes } from './command-failure.ts'
import { describeFailure } from './describe-failure.ts'
import { readTableArguments } from './table/table-arguments.ts'
import { tableHelp } from './table/table-help.ts'

/* The command `npm run table`. */

const main = async (): Promise<number> => {
  const command = readTableArguments(process.argv.slice(2), process.env)
  if (command.name === 'help') {
    process.stdout.write(tableHelp)
    return exitCodes.done
  }
  const signal = abortOnSignal()
  // Loaded late, because the AWS SDK would delay messages about invalid arguments.
  if (command.name === 'prepare') return (await import('./table/run-prepare.ts')).runPrepare(command)
  if (command.name === 'reencrypt')
    return (await import('./table/run-reencrypt.ts')).runReencrypt(command, signal)
  if (command.name === 'copy') return (await import('./table/run-copy.ts')).runCopy(command, signal)
  return (await import('./table/run-end-credentials.ts')).runEndCredentials(command, signal)
}

// The command must not end in the middle of a line when no one reads its output.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${describeFailure(error)}\n`)
  return exitCodes.failed
})
