import { abortOnSignal } from './abort-on-signal.ts'
import { readArguments } from './arguments.ts'
import { exitCodes } from './command-failure.ts'
import { describeFailure } from './describe-failure.ts'
import { help } from './help.ts'

/* The command `npm run users`. */

const main = async (): Promise<number> => {
  const command = readArguments(process.argv.slice(2), process.env)
  if (command.name === 'help') {
    process.stdout.write(help)
    return exitCodes.done
  }
  const signal = abortOnSignal()
  // Loaded late, because the AWS SDK would delay messages about invalid arguments.
  if (command.name === 'import') return (await import('./run-import.ts')).runImport(command, signal)
  return (await import('./run-export.ts')).runExport(command, signal)
}

// The command must not end in the middle of a line when no one reads its output.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${describeFailure(error)}\n`)
  return exitCodes.failed
})
