import { minute } from '../util/time.ts'

/* Limits of hooks. Functions load them with the caller of hooks, on demand. */

/** What the answer of a hook may have. Claims take 2 KB at most. */
export const hookAnswerBytes = 64 * 1024
/** Characters of the words with which a hook refuses a person. */
export const hookMessageLength = 300
/** Groups that the hook `beforeSignUp` may give. */
export const hookGroupsMax = 20
/** When a process stops to call the function of a hook, and for how long. Lambda keeps an idle function for about five minutes. */
export const hookCircuit = { accounts: 5, windowMs: 30_000, openMs: 30_000, idleMs: 5 * minute }
