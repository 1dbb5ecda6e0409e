import type { NetworkProof } from './network-limits/network-proof.ts'
import { proofOfWork } from './proof-of-work/rules.ts'

/** What can admit a request above the limit of its network. The first one decides. */
export const networkProofs: readonly NetworkProof[] = [proofOfWork]

/** The shares of known people and browsers. Loaded on demand, because few requests come from a network above a limit. */
export const loadKnownBrowsers = () => import('./sign-in/known-browsers.ts')
