import type { DoorProof } from './access/door-proof.ts'
import { proofOfWork } from './proof-of-work/rules.ts'

/** What can admit a request above the limit of its network. The first one decides. */
export const doorProofs: readonly DoorProof[] = [proofOfWork]
