import { abortOnSignal } from '../abort-on-signal.ts'
import { readArguments } from '../arguments.ts'
import { exitCodes } from '../command-failure.ts'
import { describeFailure } from '../describe-failure.ts'
import { formatHelp } from '../help.ts'

/** Imports or exports users, and sets the exit code. `program` is the text that starts the command, for the help. */
export const runUsersCommand = async (args: readonly string[], program: string): Promise<void> => {
  // The command must not end in the middle of a line when no one reads its output.
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
  process.exitCode = await runCommand(args, program).catch((error: unknown) => {
    process.stderr.write(`${describeFailure(error)}\n`)
    return exitCodes.failed
  })
}

const runCommand = async (args: readonly string[], program: string): Promise<number> => {
  const command = readArguments(args, process.env)
  if (command.name === 'help') {
    process.stdout.write(formatHelp(program))
    return exitCodes.done
  }
  const signal = abortOnSignal()
  // Loaded late, because the AWS SDK would delay messages about invalid arguments.
  if (command.name === 'import') return (await import('./run-import.ts')).runImport(command, signal)
  return (await import('./run-export.ts')).runExport(command, signal)
}
