import { CommandFailure } from '../../local/command-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Environment } from '../program.ts'
import {
  deleteTokens,
  getTokenFile,
  readTokens,
  requestTokens,
  requestUserinfo,
  type StoredTokens,
  type Userinfo,
  writeTokens,
} from './token-file.ts'

/** Prints who is signed in, and where. Returns the exit code. */
export const runWhoami = async (env: Environment): Promise<number> => {
  const file = getTokenFile(env)
  const tokens = await readTokens(file)
  if (!tokens) throw new CommandFailure('You are not signed in. Run latchkey login.')
  process.stdout.write(`${formatUser(await whoami(file, tokens))} at ${tokens.url}\n`)
  return exitCodes.done
}

/** Finds the user of the tokens, and renews these if they need it. @throws CommandFailure if they have ended */
export const whoami = async (file: string, tokens: StoredTokens): Promise<Userinfo> => {
  const isFresh = Date.now() < tokens.accessTokenExpiresAt
  const known = isFresh ? await requestUserinfo(tokens) : undefined
  if (known) return known
  const form = { grant_type: 'refresh_token', refresh_token: tokens.refreshToken }
  const renewed = await requestTokens(tokens, form)
  if ('error' in renewed) {
    const hasEnded = renewed.error === 'invalid_grant' || renewed.error === 'invalid_client'
    if (!hasEnded) throw new CommandFailure(`${tokens.url} did not renew the tokens. Try again.`)
    await deleteTokens(file)
    throw new CommandFailure('Your sign-in has ended. Run latchkey login again.')
  }
  // A used refresh token is worth nothing, so the next one is stored before anything else can fail.
  await writeTokens(file, renewed)
  const user = await requestUserinfo(renewed)
  if (!user) throw new CommandFailure('Your sign-in has ended. Run latchkey login again.')
  return user
}

/** Terminals obey control characters, which a name can have at another service. */
const printable = (text: string): string => text.replaceAll(/\p{C}/gu, '')

export const formatUser = ({ sub, preferred_username: username, name }: Userinfo): string =>
  printable(name && name !== username ? `${username ?? sub} (${name})` : (username ?? sub))
