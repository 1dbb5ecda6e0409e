import { CommandFailure } from '../command-failure.ts'
import { type Environment, quote, readCommand, readText } from '../program.ts'

export type SignInCommand =
  | { readonly name: 'help' }
  | { readonly name: 'login'; readonly url: string; readonly clientId: string }
  | { readonly name: 'logout' }
  | { readonly name: 'whoami' }

const optionsOf = { login: { url: 'text', 'client-id': 'text' }, logout: {}, whoami: {} } as const

const hints = {
  login: 'login needs --url with the origin of the service, such as https://auth.example.com.',
  client: 'login needs --client-id with the client that an administrator registered for this command.',
}

/** Reads the arguments of `latchkey login`, `logout` or `whoami`. @throws CommandFailure with one sentence */
export const readSignInArguments = (
  name: 'login' | 'logout' | 'whoami',
  args: readonly string[],
  env: Environment,
): SignInCommand => {
  if (args[0] === 'help') return { name: 'help' }
  const command = readCommand({ group: name, optionsOf, hint: hints.login }, [name, ...args])
  if (command.name === 'help') return command
  const [word] = command.positionals
  if (word !== undefined) throw new CommandFailure(`${name} takes no ${quote(word)}.`)
  if (command.name !== 'login') return { name: command.name }
  const clientId = readText(command.values, 'client-id') ?? env['LATCHKEY_CLIENT_ID'] ?? ''
  const url = readUrl(readText(command.values, 'url'))
  if (!/^[\w-]{1,64}$/.test(clientId)) throw new CommandFailure(hints.client)
  return { name: 'login', url, clientId }
}

/** Tokens are sent there, so plain http is for this machine alone. */
const readUrl = (text: string | undefined): string => {
  const url = URL.parse(text ?? '')
  if (!url || url.origin !== text || !/^https?:$/.test(url.protocol)) throw new CommandFailure(hints.login)
  if (url.protocol === 'http:' && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname))
    throw new CommandFailure('--url must begin with https://, except for a service on this machine.')
  return url.origin
}

/** The output of `--help`. Every line fits a terminal of 80 columns. */
export const signInHelp = `Signs you in at a service from a terminal.

  npx latchkey login --url URL --client-id ID
  npx latchkey whoami
  npx latchkey logout

login prints an address and a code. Open the address on any device, compare the
code, and continue there. The tokens are stored in latchkey/tokens.json in the
folder XDG_CONFIG_HOME, or ~/.config. Only you can read the file. whoami prints
who you are. logout ends the tokens and deletes the file.

An administrator registers the client, with device sign-in turned on.

  --url URL       the origin of the service, such as https://auth.example.com
  --client-id ID  the client_id, or the environment variable LATCHKEY_CLIENT_ID

Exit code: 0 done, 2 failed, 130 interrupted.
`
