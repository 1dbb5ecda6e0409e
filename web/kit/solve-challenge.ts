import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'

/**
 * Solves a challenge of the service and writes the proof. The browser derives the keys beside the page, which stays usable. Returns
 * undefined after a minute.
 */
export const solveForProof = async (given: object): Promise<string | undefined> => {
  // The service sends no others.
  const challenge = given as Challenge
  const solution = await solveChallenge({ challenge, deriveKey, timeout: 60_000 })
  return solution ? btoa(JSON.stringify({ challenge, solution })) : undefined
}
