import { type Challenge, type Solution, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { JsonValue } from './client.ts'

/** Writes a proof as the libraries of ALTCHA do. */
export const writeProof = (challenge: unknown, solution: unknown): string =>
  Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')

export const solve = async (challenge: Challenge): Promise<Solution> => {
  const solution = await solveChallenge({ challenge, deriveKey })
  if (!solution) throw new Error('the challenge was not solved')
  return solution
}

/** Solves the challenge of an answer, as a page or a bot does. */
export const proveWork = async ({ body }: { readonly body: JsonValue }): Promise<string> =>
  writeProof(body.challenge, await solve(body.challenge))
