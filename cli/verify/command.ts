import { resolve } from 'node:path'
import { CommandFailure } from '../command-failure.ts'
import { type Environment, quote, readCommand, readText } from '../program.ts'

export type VerifyCommand =
  | { readonly name: 'help' }
  | {
      readonly name: 'verify'
      /** The origin of the service. */
      readonly url: string
      /** A session or an API token of an administrator. */
      readonly token: string | undefined
      readonly mailTo: string | undefined
      readonly stack: string | undefined
      readonly table: string | undefined
      /** The file of the report. */
      readonly report: string | undefined
    }

const optionsOf = {
  verify: { url: 'text', 'mail-to': 'text', stack: 'text', table: 'text', report: 'text' },
} as const

const hint = 'verify needs --url with the origin of the service, such as https://auth.example.com.'

/** Names that AWS accepts. Other texts could be an ARN or a path. */
const stackName = /^[a-z][a-z\d-]{0,127}$/i
const tableName = /^[\w.-]{3,255}$/
const emailAddress = /^[^\s@<>]{1,64}@[^\s@<>]{1,255}$/

/** @throws CommandFailure with one sentence about an invalid argument or variable. */
export const readVerifyArguments = (args: readonly string[], env: Environment): VerifyCommand => {
  // The group is its only command.
  const words = args.length === 0 || args[0] === 'help' ? args : ['verify', ...args]
  const command = readCommand({ group: 'verify', optionsOf, hint }, words)
  if (command.name === 'help') return command
  const { name, values, positionals } = command
  if (positionals[0] !== undefined) throw new CommandFailure(`verify takes no ${quote(positionals[0])}.`)
  const report = readText(values, 'report')
  const read = (option: string, pattern: RegExp, rule: string): string | undefined => {
    const text = readText(values, option)
    if (text !== undefined && !pattern.test(text)) throw new CommandFailure(`--${option} must be ${rule}.`)
    return text
  }
  return {
    name,
    url: readUrl(readText(values, 'url')),
    token: readToken(env['LATCHKEY_TOKEN']),
    mailTo: read('mail-to', emailAddress, 'one email address'),
    stack: read('stack', stackName, 'the name of a CloudFormation stack'),
    table: read('table', tableName, 'the name of a DynamoDB table'),
    report: report === undefined ? undefined : resolve(report),
  }
}

/** Credentials are sent there, so plain http is for this machine alone. */
const readUrl = (text: string | undefined): string => {
  const url = URL.parse(text ?? '')
  if (!url || url.origin !== text || !/^https?:$/.test(url.protocol)) throw new CommandFailure(hint)
  if (url.protocol === 'http:' && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname))
    throw new CommandFailure('--url must begin with https://, except for a service on this machine.')
  return url.origin
}

/** The message does not repeat the value, because it may be part of a credential. */
const readToken = (text: string | undefined): string | undefined => {
  if (text === undefined || text === '') return undefined
  if (!/^[\w.~+/=-]{16,4096}$/.test(text))
    throw new CommandFailure(
      'LATCHKEY_TOKEN must be a session key or an API token, without spaces or quotes.',
    )
  return text
}

/** The output of `--help`. Every line fits a terminal of 80 columns. */
export const verifyHelp = `Verifies that a deployed service works.

  npx latchkey verify --url URL [--stack NAME] [--table NAME]
             [--mail-to ADDRESS] [--report FILE]

Each line of the output is one check: ok, failed or skipped, and why. After a
failed check, a second line says what to do. One failed check stops no other.

Without anything else, the checks see what everyone sees: health, DNS, TLS,
OpenID discovery, public keys, pages, SAML metadata, and firewalls. The
environment variable LATCHKEY_TOKEN adds checks as an administrator. It is a
session_key, or an API token without scopes, which cannot set a password. They
create a user without permissions and an access link, and delete both.
The AWS credentials and the region of the environment add checks of resources in
the account, which only read.

  --url URL          the origin of the service, such as https://auth.example.com
  --stack NAME       the CloudFormation stack, such as LatchkeyProd
  --table NAME       the table, instead of the one of the stack
  --mail-to ADDRESS  sends an email with an access link there
  --report FILE      writes the results to FILE as JSON and to FILE.txt as text,
                     without credentials and without the address

Exit code: 0 no check failed, 1 some failed, 2 cannot start, 130 interrupted.
`
