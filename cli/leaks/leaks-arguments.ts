import { resolve } from 'node:path'
import { CommandFailure } from '../command-failure.ts'
import { type Environment, getCallerFolder, readCommand, readText } from '../options.ts'

export type LeaksCommand =
  | { readonly name: 'help' }
  | {
      readonly name: 'report'
      readonly file: string
      /** The origin of the service. */
      readonly url: string
      readonly isDryRun: boolean
      /** Whether each line is a credential, such as an API token with a custom value. */
      readonly hasValues: boolean
    }

const optionsOf = {
  report: {
    help: { type: 'boolean', short: 'h' },
    url: { type: 'string' },
    'dry-run': { type: 'boolean' },
    values: { type: 'boolean' },
  },
} as const

const commandHint = 'Use report FILE. See --help.'

/** @throws CommandFailure with one sentence about an invalid argument. */
export const readLeaksArguments = (args: readonly string[], env: Environment): LeaksCommand => {
  const command = readCommand({ script: 'leaks', optionsOf, hint: commandHint }, args, env)
  if (command.name === 'help') return command
  const { name, values, positionals } = command
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0)
    throw new CommandFailure(`report takes one FILE, but ${positionals.length} were given.`)
  const url = readText(values, 'url')
  if (url === undefined || URL.parse(url)?.origin !== url)
    throw new CommandFailure(
      'report needs --url with the origin of the service, such as https://auth.example.com.',
    )
  return {
    name,
    file: resolve(getCallerFolder(env, 'leaks'), file),
    url,
    isDryRun: values['dry-run'] === true,
    hasValues: values['values'] === true,
  }
}
