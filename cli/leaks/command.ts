import { resolve } from 'node:path'
import { CommandFailure } from '../../local/command-failure.ts'
import { type Help, readCommand } from '../program.ts'

export type LeaksCommand =
  | Help
  | {
      readonly name: 'report'
      readonly file: string
      /** The origin of the service. */
      readonly url: string
      readonly isDryRun: boolean
      /** Whether each line is a credential, such as an API token with a custom value. */
      readonly hasValues: boolean
    }

export const leaks = {
  text: 'Ends leaked credentials.',
  commands: {
    report: {
      argument: 'FILE',
      text: `Reports the credentials in a file to the service.

FILE is a log or a leaked archive, for example. The service ends each credential and informs its owner. The output never contains a credential. Running the command again has no further effect.`,
      options: {
        url: {
          value: 'URL',
          text: 'the origin of the service, such as https://auth.example.com',
          isRequired: true,
        },
        values: {
          text: 'each line of the file is a credential. Use this for API tokens with custom values, which cannot be recognized in a text',
        },
        'dry-run': { text: 'counts the credentials in the file, and reports nothing' },
      },
      exitCodes: '0 all reported, 2 failed, 130 interrupted',
    },
  },
} as const

/** @throws CommandFailure with one sentence about an invalid argument. */
export const readLeaksArguments = (args: readonly string[]): LeaksCommand => {
  const command = readCommand('leaks', leaks, args)
  if (command.name === 'help') return command
  const { url, values: hasValues, 'dry-run': isDryRun } = command.values
  if (URL.parse(url)?.origin !== url)
    throw new CommandFailure(
      'report needs --url with the origin of the service, such as https://auth.example.com.',
    )
  return { name: 'report', file: resolve(command.argument), url, isDryRun, hasValues }
}
