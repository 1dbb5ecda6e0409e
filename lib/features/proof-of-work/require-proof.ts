import { AppError } from '../../kernel/errors/errors.ts'
import { getNetwork } from '../../kernel/util/network.ts'
import type { Services } from '../../services.ts'
import type { RequestContext } from '../access/request-context.ts'
import { consumeCounted, rateLimited, tryRefund } from '../access/throttle.ts'
import { measurePressure, readPressure } from './pressure.ts'

/** The operations that email anyone, with the limit of each network. */
const limitOf = {
  request_sign_up: 'signUpsPerAddress',
  request_password_reset: 'resetRequestsPerAddress',
  request_email_code: 'emailCodeRequestsPerAddress',
  // People enter addresses of others in their own accounts, which they get for as much as a sign-up.
  change_own_email: 'signUpsPerAddress',
  send_email_confirmation: 'signUpsPerAddress',
} as const

/**
 * Counts a request that emails anyone against the limit of its network. Above half of this limit, or while the whole service has
 * more of these requests than `mailRequests`, it also has to prove work. Below, it takes one table call and no proof.
 *
 * A request whose proof is missing, wrong or repeated counts like any other. An accepted proof gives back the use of the request
 * that it answers, so that people who have to prove work can send as many requests as others.
 *
 * @throws AppError `too_many_requests`, with the reason `proof_required` and a new challenge if a proof helps
 */
export const consumeWithProof = async (
  services: Services,
  operation: keyof typeof limitOf,
  context: RequestContext,
  proof: string | undefined,
): Promise<void> => {
  const network = getNetwork(context.address)
  const { count, limit, retryAfterSeconds, refund } = await consumeCounted(
    services,
    limitOf[operation],
    network,
  )
  if (!services.config.proofOfWork) return
  const ofNetwork = count / Math.ceil(limit.max / 2)
  const pressure = Math.max(ofNetwork, await measurePressure(services, 'asked'))
  const admit = () => measurePressure(services, 'admitted')
  if (pressure <= 1) {
    await admit()
    return
  }
  // Most requests need no proof, so functions load this when the first one does.
  const { acceptProof, mintProofChallenge } = await import('./challenges.ts')
  const accepted =
    proof === undefined ? undefined : await acceptProof(services, { operation, network }, proof)
  if (accepted) {
    if (accepted.isOfSameNetwork) await tryRefund(services, refund)
    await admit()
    return
  }
  // The next request would be above the limit, with and without a proof.
  if (count >= limit.max) throw rateLimited(retryAfterSeconds)
  // What nobody paid for makes no proof harder.
  const price = readPressure(services, 'admitted')
  const waitSeconds =
    ofNetwork > 1 ? retryAfterSeconds : services.config.rateLimits.mailRequests.windowMs / 1000
  throw new AppError('too_many_requests', {
    reason: 'proof_required',
    detail: 'Solve `challenge`, and send the request again with the solution in `proof`.',
    headers: { 'retry-after': String(waitSeconds) },
    members: { challenge: await mintProofChallenge(services, { operation, network }, price) },
  })
}
