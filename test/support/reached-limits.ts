import type { RateLimitName } from '../../lib/kernel/limits/rate-limits.ts'
import { noteRateLimited } from '../../lib/kernel/rates/rate-limited.ts'
import { countEvent } from '../../lib/kernel/rates/rates.ts'
import type { TestService } from './service.ts'

/** Lets a network reach a rate limit. */
export const reachLimit = async (
  { services: { table, config, now } }: TestService,
  name: RateLimitName,
  network: string,
): Promise<void> => {
  const limit = config.rateLimits[name]
  const nowMs = now()
  for (let count = 0; count < limit.max; count++) await countEvent(table, limit, network, nowMs)
  await noteRateLimited(table, limit, network, { shown: { network }, nowMs })
}
