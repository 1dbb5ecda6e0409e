import { describeDuration } from '../../core/describe-duration.ts'
import { type RateLimitName, rateLimitDefaults } from '../../core/rate-limits.ts'

/** Describes the default of a rate limit: `5 in 5 minutes`. */
export const describeRateLimit = (name: RateLimitName): string => {
  const { max, windowMs } = rateLimitDefaults[name]
  return `${max} in ${describeDuration(windowMs)}`
}
