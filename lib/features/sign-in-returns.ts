import type { SignInReturn } from './connections/sign-in-return.ts'
import { buildTicketUrl } from './tickets/rules.ts'

/** What the address of a product gets when a browser returns there after its sign-in. */
export const signInReturns: readonly SignInReturn[] = [buildTicketUrl]
