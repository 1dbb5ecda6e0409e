import { CommandFailure } from '../../local/command-failure.ts'
import { type Environment, type Help, readSingleCommand, readUrl } from '../program.ts'

export type SignInCommand =
  | Help
  | { readonly name: 'login'; readonly url: string; readonly clientId: string }
  | { readonly name: 'logout' }
  | { readonly name: 'whoami' }

const environment = { XDG_CONFIG_HOME: 'the folder of latchkey/tokens.json, instead of ~/.config' }
const exitCodes = '0 done, 2 failed, 130 interrupted'

export const signIn = {
  login: {
    text: `Signs you in at a service from a terminal.

It prints an address and a code. Open the address on any device, compare the code, and continue there. The tokens are stored in a file that only you can read. An administrator registers the client, with device sign-in turned on.`,
    options: {
      url: {
        value: 'URL',
        text: 'the origin of the service, such as https://auth.example.com',
        isRequired: true,
      },
      'client-id': { value: 'ID', text: 'the client_id, instead of LATCHKEY_CLIENT_ID' },
    },
    environment: { LATCHKEY_CLIENT_ID: 'the client_id', ...environment },
    exitCodes,
  },
  whoami: { text: 'Prints who is signed in.', environment, exitCodes },
  logout: {
    text: `Signs you out again.

It ends the tokens and deletes their file.`,
    environment,
    exitCodes,
  },
} as const

/** Reads the arguments of `latchkey login`, `logout` or `whoami`. @throws CommandFailure with one sentence */
export const readSignInArguments = (
  name: 'login' | 'logout' | 'whoami',
  args: readonly string[],
  env: Environment,
): SignInCommand => {
  if (name !== 'login') {
    const command = readSingleCommand(name, signIn[name], args)
    return command.name === 'help' ? command : { name }
  }
  const command = readSingleCommand('login', signIn.login, args)
  if (command.name === 'help') return command
  const clientId = command.values['client-id'] ?? env['LATCHKEY_CLIENT_ID'] ?? ''
  const url = readUrl('login', command.values.url)
  if (!/^[\w-]{1,64}$/.test(clientId))
    throw new CommandFailure(
      'login needs --client-id with the client that an administrator registered for this command.',
    )
  return { name: 'login', url, clientId }
}
