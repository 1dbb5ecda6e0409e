import { AppError } from '../../kernel/errors/errors.ts'
import { getLongestWaitMs } from '../../kernel/rates/rates.ts'
import { getNetwork } from '../../kernel/util/network.ts'
import { getRemainingMs } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { consume, rateLimited } from '../access/throttle.ts'

/** Until when this function knows that a network reached the limit. Above it, a request costs no call of the table. */
const blockedUntil = new Map<string, number>()
const maxRemembered = 10_000

/** Counts an authorization that a network starts, whatever comes of it. @throws AppError `too_many_requests` */
export const countStart = async (services: Services, address: string): Promise<void> => {
  const network = getNetwork(address)
  const now = services.now()
  const longestMs = getLongestWaitMs(services.config.rateLimits.authorizationStarts)
  const waitMs = getRemainingMs(blockedUntil.get(network) ?? 0, now, longestMs)
  if (waitMs > 0) throw rateLimited(Math.ceil(waitMs / 1000))
  try {
    await consume(services, 'authorizationStarts', network)
  } catch (error) {
    if (error instanceof AppError) {
      for (const [known, until] of blockedUntil)
        if (until <= now || blockedUntil.size >= maxRemembered) blockedUntil.delete(known)
      blockedUntil.set(network, now + Number(error.details.headers?.['retry-after'] ?? 1) * 1000)
    }
    throw error
  }
}
