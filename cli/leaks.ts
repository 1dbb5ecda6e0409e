import { abortOnSignal } from './abort-on-signal.ts'
import { exitCodes } from './command-failure.ts'
import { describeFailure } from './describe-failure.ts'
import { readLeaksArguments } from './leaks/leaks-arguments.ts'
import { leaksHelp } from './leaks/leaks-help.ts'
import { runLeaks } from './leaks/run-leaks.ts'

/* The command `npm run leaks`. */

const main = (): Promise<number> | number => {
  const command = readLeaksArguments(process.argv.slice(2), process.env)
  if (command.name === 'report') return runLeaks(command, abortOnSignal())
  process.stdout.write(leaksHelp)
  return exitCodes.done
}

process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`${describeFailure(error)}\n`)
  process.exitCode = exitCodes.failed
}
