import { readArguments } from './arguments.ts'
import { exitCodes } from './failure.ts'
import { failureSentence } from './failure-sentence.ts'
import { help } from './help.ts'
import { interruption } from './interrupt.ts'

/* What `npm run users` runs. */

const main = async (): Promise<number> => {
  const command = readArguments(process.argv.slice(2), process.env)
  if (command.name === 'help') {
    process.stdout.write(help)
    return exitCodes.done
  }
  const signal = interruption()
  // Loaded by now alone: the SDK takes longer than it takes to say what is wrong with a command.
  if (command.name === 'import') return (await import('./run-import.ts')).runImport(command, signal)
  return (await import('./run-export.ts')).runExport(command, signal)
}

// Output that is no longer read is no reason to end in the middle of a line.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${failureSentence(error)}\n`)
  return exitCodes.failed
})
