import { resolve } from 'node:path'
import { CommandFailure } from '../command-failure.ts'
import { readCommand, readText } from '../program.ts'

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
    url: 'text',
    'dry-run': 'flag',
    values: 'flag',
  },
} as const

const commandHint = 'Use report FILE. See --help.'

/** @throws CommandFailure with one sentence about an invalid argument. */
export const readLeaksArguments = (args: readonly string[]): LeaksCommand => {
  const command = readCommand({ group: 'leaks', optionsOf, hint: commandHint }, args)
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
    file: resolve(file),
    url,
    isDryRun: values['dry-run'] === true,
    hasValues: values['values'] === true,
  }
}

/** The output of `--help`. Every line fits a terminal of 80 columns. */
export const leaksHelp = `Ends leaked credentials.

  npx latchkey leaks report FILE --url URL [--values] [--dry-run]

report finds the credentials in a file, such as a log or a leaked archive, and
reports them to the service. It ends each one and informs its owner. The output
never contains a credential. Running the command again has no further effect.

  --url URL  the origin of the service, such as https://auth.example.com
  --values   each line of the file is a credential. Use this for API tokens with
             custom values, which cannot be recognized in a text
  --dry-run  counts the credentials in the file, and reports nothing

Exit code: 0 all reported, 2 failed, 130 interrupted.
`
