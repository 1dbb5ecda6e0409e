import type { RateLimit } from '../../limits/rate-limits.ts'
import type { Services } from '../../services.ts'
import { countEvent, getEventCount, getLongestWaitMs, getRetryAfterSeconds } from '../../store/rates/rates.ts'
import { getNetwork } from '../../util/network.ts'
import { getRemainingMs } from '../../util/time.ts'
import { noteRefusal } from './note-refusal.ts'
import type { RequestContext } from './request-context.ts'
import { rateLimited } from './throttle.ts'

/*
 * Tickets, links and reset tokens cannot be guessed. All users of a product can share its address, and an attacker can
 * send wrong values through the product. So a good value is served at any time, and only failures are counted. Above the
 * limit, a failure costs the service one read. The throttling of API Gateway limits the number of these reads.
 */
const blockedUntil = new Map<string, number>()
const maxRemembered = 10_000

/**
 * Counts a failed lookup. While this function knows that the network reached the limit, the table is not called.
 *
 * @throws AppError `too_many_requests` when the caller's network exceeds the limit
 */
export const countFailedLookup = async (services: Services, { address }: RequestContext): Promise<void> => {
  const { table, config, now } = services
  const { lookUpFailures } = config.rateLimits
  const network = getNetwork(address)
  const at = now()
  const blockMs = getBlockMs(lookUpFailures, network, at)
  if (blockMs > 0) throw rateLimited(Math.ceil(blockMs / 1000))
  const item = await countEvent(table, lookUpFailures, network, at)
  if (getEventCount(item, lookUpFailures, at) <= lookUpFailures.max) return
  const seconds = getRetryAfterSeconds(item, lookUpFailures, at)
  for (const [known, until] of blockedUntil)
    if (until <= at || blockedUntil.size >= maxRemembered) blockedUntil.delete(known)
  blockedUntil.set(network, at + seconds * 1000)
  await noteRefusal(services, { limit: lookUpFailures, subject: network, item, shown: { network } })
  throw rateLimited(seconds)
}

const getBlockMs = (limit: RateLimit, network: string, nowMs: number): number =>
  getRemainingMs(blockedUntil.get(network) ?? 0, nowMs, getLongestWaitMs(limit))
