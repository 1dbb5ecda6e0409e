import type { PasswordHash, PasswordWork } from './password-hashes.ts'

/** Most starts of functions check no password. The code of all hashes is a tenth of what they would load. */
const loadHashes = () => import('./password-hashes.ts')

/** Does the work in this thread. On AWS, a function has no other request in the meantime. */
const ownWork: PasswordWork = {
  hash: async (...given) => (await loadHashes()).passwordWork.hash(...given),
  verify: async (...given) => (await loadHashes()).passwordWork.verify(...given),
}

let currentWork = ownWork

/** Lets other threads do the work, so that a process with many requests stays responsive. */
export const delegatePasswordWork = (work: PasswordWork): void => {
  currentWork = work
}

/** Hashes a password for storage. `cost` is the binary logarithm of the bcrypt rounds. */
export const hashPassword = (password: string, cost: number): Promise<PasswordHash> =>
  currentWork.hash(password, cost)

/**
 * Whether a password matches the stored hash. The check always takes as long as one with the current cost, also
 * without a stored hash (an unknown user) or with a cheaper one (an imported user).
 */
export const verifyPassword = (
  password: string,
  stored: PasswordHash | undefined,
  cost: number,
): Promise<boolean> => currentWork.verify(password, stored, cost)
