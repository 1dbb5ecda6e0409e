import { resolve } from 'node:path'
import { CommandFailure } from '../../local/command-failure.ts'
import { type Environment, type Help, readSingleCommand, readUrl } from '../program.ts'

export type VerifyCommand =
  | Help
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
      /** The file that describes a release, to compare it with the account. */
      readonly releaseFile: string | undefined
      /** Whether to ask what only a real account can say. */
      readonly hasProbes: boolean
    }

export const verify = {
  text: `Verifies that a deployed service works.

Each line of the output is one check: ok, failed or skipped, and why. After a failed check, a second line says what to do. One failed check stops no other.

Without anything else, the checks see what everyone sees: health, DNS, TLS, OpenID discovery, public keys, pages, SAML metadata, and firewalls. The AWS credentials and the region of the environment add checks of resources in the account, which only read.`,
  options: {
    url: {
      value: 'URL',
      text: 'the origin of the service, such as https://auth.example.com',
      isRequired: true,
    },
    stack: { value: 'NAME', text: 'the CloudFormation stack, such as LatchkeyProd' },
    table: { value: 'NAME', text: 'the table, instead of the one of the stack' },
    'mail-to': { value: 'ADDRESS', text: 'sends an email with an access link there' },
    release: {
      value: 'FILE',
      text: 'compares the account with release.json of a release: code, aliases, callers, grants and routes of functions, and files of the pages. It only reads',
    },
    probe: {
      text: 'asks ten questions that only a real account can answer. It sends an email to the simulator of SES and an event to the function for files, and sets an alarm for a moment. With --report, it writes FILE.md, which names neither account nor service',
    },
    report: {
      value: 'FILE',
      text: 'writes the results to FILE as JSON and to FILE.txt as text, without credentials and without the address',
    },
  },
  environment: {
    LATCHKEY_TOKEN:
      'adds checks as an administrator: a session_key, or an API token without scopes, which cannot set a password. They create a user without permissions and an access link, and delete both',
  },
  exitCodes: '0 no check failed, 1 some failed, 2 cannot start, 130 interrupted',
} as const

/** Names that AWS accepts. Other texts could be an ARN or a path. */
export const stackNamePattern = /^[a-z][a-z\d-]{0,127}$/i
const tableName = /^[\w.-]{3,255}$/
const emailAddress = /^[^\s@<>]{1,64}@[^\s@<>]{1,255}$/

/** @throws CommandFailure with one sentence about an invalid argument or variable. */
export const readVerifyArguments = (args: readonly string[], env: Environment): VerifyCommand => {
  const command = readSingleCommand('verify', verify, args)
  if (command.name === 'help') return command
  const { values } = command
  const read = (option: 'mail-to' | 'stack' | 'table', pattern: RegExp, rule: string) => {
    const text = values[option]
    if (text !== undefined && !pattern.test(text)) throw new CommandFailure(`--${option} must be ${rule}.`)
    return text
  }
  return {
    name: 'verify',
    url: readUrl('verify', values.url),
    token: readToken(env['LATCHKEY_TOKEN']),
    mailTo: read('mail-to', emailAddress, 'one email address'),
    stack: read('stack', stackNamePattern, 'the name of a CloudFormation stack'),
    table: read('table', tableName, 'the name of a DynamoDB table'),
    releaseFile: values.release === undefined ? undefined : resolve(values.release),
    hasProbes: values.probe === true,
    report: values.report === undefined ? undefined : resolve(values.report),
  }
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
