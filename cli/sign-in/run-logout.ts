import { CommandFailure } from '../../local/command-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Environment } from '../program.ts'
import { deleteTokens, getTokenFile, readTokens, revokeTokens } from './token-file.ts'

/** Ends the tokens and deletes them. Returns the exit code. */
export const runLogout = async (env: Environment): Promise<number> => {
  const file = getTokenFile(env)
  const tokens = await readTokens(file)
  if (!tokens) {
    process.stdout.write('You are not signed in.\n')
    return exitCodes.done
  }
  const isRevoked = await revokeTokens(tokens)
  await deleteTokens(file)
  if (!isRevoked)
    throw new CommandFailure(
      `The tokens were deleted here, but ${tokens.url} did not end them. End the access on your account page.`,
    )
  process.stdout.write(`You are signed out of ${tokens.url}.\n`)
  return exitCodes.done
}
