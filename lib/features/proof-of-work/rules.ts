import { AppError } from '../../kernel/errors/errors.ts'
import type { NetworkProof } from '../network-limits/network-proof.ts'
import { measurePressure, readPressure } from './pressure.ts'

/** Most requests need no proof, so functions load this when the first one does. */
const loadChallenges = () => import('./challenges.ts')

/** Above the limit of its network, a browser computes for some seconds, and is admitted. */
export const proofOfWork: NetworkProof = {
  countAsked: async (services) => ({
    asked: await measurePressure(services, 'asked'),
    // What nobody paid for makes no proof harder.
    admitted: readPressure(services, 'admitted'),
  }),
  countAdmitted: async (services) => {
    await measurePressure(services, 'admitted')
  },
  accept: async (services, purpose, proof) => (await loadChallenges()).acceptProof(services, purpose, proof),
  createError: async (services, { purpose, pressure, waitSeconds }) => {
    const { mintProofChallenge } = await loadChallenges()
    return new AppError('too_many_requests', {
      reason: 'proof_required',
      detail: 'Solve `challenge`, and send the request again with the solution in `proof`.',
      headers: { 'retry-after': String(waitSeconds) },
      members: { challenge: await mintProofChallenge(services, purpose, pressure) },
    })
  },
}
