import { setTimeout as sleep } from 'node:timers/promises'
import { CommandFailure } from '../../local/command-failure.ts'
import { endInterrupted, exitCodes } from '../exit-codes.ts'
import type { Environment } from '../program.ts'
import { wrapText } from '../report.ts'
import type { SignInCommand } from './command.ts'
import { formatUser, whoami } from './run-whoami.ts'
import {
  type DeviceCodes,
  getTokenFile,
  readTokens,
  requestCodes,
  requestTokens,
  type StoredTokens,
  writeTokens,
} from './token-file.ts'

type LoginCommand = Extract<SignInCommand, { name: 'login' }>

const grantType = 'urn:ietf:params:oauth:grant-type:device_code'
/** How much longer to wait when the service asks for it, or does not answer (RFC 8628 3.5). */
const slowerSeconds = 5

/** Prints a code, waits until the user has continued with it, and stores the tokens. Returns the exit code. */
export const runLogin = async (
  command: LoginCommand,
  env: Environment,
  signal: AbortSignal,
): Promise<number> => {
  const file = getTokenFile(env)
  const before = await readTokens(file)
  if (before) throw new CommandFailure(`You are signed in at ${before.url}. Run latchkey logout first.`)
  try {
    const codes = await requestCodes(command, signal)
    process.stdout.write(describeCodes(codes))
    const tokens = await waitForTokens(command, codes, signal)
    await writeTokens(file, tokens)
    process.stdout.write(`You are signed in as ${formatUser(await whoami(file, tokens))}.\n`)
    return exitCodes.done
  } catch (error) {
    return endInterrupted(error, signal, 'You are not signed in.')
  }
}

const describeCodes = ({ verification_uri, user_code, expires_in }: DeviceCodes): string =>
  [
    'Open this address on any device, and sign in there:',
    `  ${verification_uri}`,
    'Enter this code, and continue only if the page shows it:',
    `  ${user_code}`,
    wrapText(`Waiting for at most ${Math.ceil(expires_in / 60)} minutes. Ctrl-C stops.`, ''),
    '',
  ].join('\n')

const ends = new Map([
  ['access_denied', 'The sign-in was canceled.'],
  ['expired_token', 'The code has expired. Run latchkey login again.'],
])

const waitForTokens = async (
  command: LoginCommand,
  { device_code, interval, expires_in }: DeviceCodes,
  signal: AbortSignal,
): Promise<StoredTokens> => {
  const end = Date.now() + expires_in * 1000
  let seconds = interval
  while (Date.now() < end) {
    await sleep(seconds * 1000, undefined, { signal })
    const answer = await requestTokens(command, { grant_type: grantType, device_code }, signal)
    if (!('error' in answer)) return answer
    const { error } = answer
    // Without an answer that can be used, the service may be busy.
    if (error === 'slow_down' || error === '' || error === 'temporarily_unavailable') seconds += slowerSeconds
    else if (error !== 'authorization_pending')
      throw new CommandFailure(ends.get(error) ?? 'The sign-in failed. Run latchkey login again.')
  }
  throw new CommandFailure(ends.get('expired_token') ?? '')
}
