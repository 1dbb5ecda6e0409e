#!/usr/bin/env node
import { exitCodes } from './command-failure.ts'
import { latchkeyHelp } from './latchkey-help.ts'
import { quote } from './options.ts'

/* The command `latchkey` of the package. */

const hint = 'Use start or users. See latchkey --help.'

const refuse = (reason: string): void => {
  process.stderr.write(`${reason}\n`)
  process.exitCode = exitCodes.failed
}

const start = async (args: readonly string[]): Promise<void> => {
  const [argument] = args
  if (argument === '--help' || argument === '-h') {
    const { startHelp } = await import('./start-help.prebuilt.ts')
    process.stdout.write(`${latchkeyHelp}\nThe settings of start:\n\n${startHelp}`)
  } else if (argument !== undefined)
    refuse(`start takes no argument ${quote(argument)}. Its settings are environment variables. See --help.`)
  else await import('../local/start.ts')
}

/** Commands are loaded late, so that each starts with only what it needs. */
const run = async (command: string | undefined, args: readonly string[]): Promise<void> => {
  switch (command) {
    case 'start':
      return start(args)
    case 'users':
      return (await import('./users/users-command.ts')).runUsersCommand(args, 'npx latchkey users')
    case 'help':
    case '--help':
    case '-h':
      process.stdout.write(latchkeyHelp)
      return
    case '--version':
      process.stdout.write(`${(await import('../lib/util/version.prebuilt.ts')).version}\n`)
      return
    default:
      refuse(command ? `Unknown command ${quote(command)}. ${hint}` : hint)
  }
}

const [command, ...args] = process.argv.slice(2)
await run(command, args)
