import { consume, type Refund } from '../../lib/accounts/common/throttle.ts'
import { AppError } from '../../lib/errors/errors.ts'
import type { RateLimitName } from '../../lib/limits/rate-limits.ts'
import type { Services } from '../../lib/services.ts'

/** Counts one email against a limit. Returns undefined if the limit is exhausted. */
export const tryConsume = async (
  services: Services,
  name: RateLimitName,
  subject: string,
): Promise<Refund | undefined> => {
  try {
    return await consume(services, name, subject)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
