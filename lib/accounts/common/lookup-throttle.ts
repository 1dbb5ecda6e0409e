import { getNetwork } from '../../core/network.ts'
import type { Services } from '../../services.ts'
import { countEvent, getEventCount, getRetryAfterSeconds } from '../../store/records/rates.ts'
import type { RequestContext } from './request-context.ts'
import { rateLimited } from './throttle.ts'

/*
 * Tickets, links and reset tokens cannot be guessed, so this limit only bounds the cost of trying. A successful lookup
 * must not pay for it with a table call. Therefore only failures are counted in the table, and each warm function
 * remembers which networks reached the limit.
 */
const blockedUntil = new Map<string, number>()
const maxRemembered = 10_000

/** @throws AppError `too_many_requests` when this function knows that the caller's network reached the limit */
export const requireLookupAllowed = ({ now }: Services, { address }: RequestContext): void => {
  const until = blockedUntil.get(getNetwork(address)) ?? 0
  if (now() < until) throw rateLimited(Math.ceil((until - now()) / 1000))
}

/** Counts a failed lookup. @throws AppError `too_many_requests` when the caller's network exceeds the limit */
export const countFailedLookup = async (
  { table, config, now }: Services,
  { address }: RequestContext,
): Promise<void> => {
  const { lookUpFailures } = config.rateLimits
  const network = getNetwork(address)
  const at = now()
  const item = await countEvent(table, lookUpFailures, network, at)
  if (getEventCount(item, lookUpFailures, at) <= lookUpFailures.max) return
  const seconds = getRetryAfterSeconds(item, lookUpFailures, at)
  for (const [known, until] of blockedUntil)
    if (until <= at || blockedUntil.size >= maxRemembered) blockedUntil.delete(known)
  blockedUntil.set(network, at + seconds * 1000)
  throw rateLimited(seconds)
}
