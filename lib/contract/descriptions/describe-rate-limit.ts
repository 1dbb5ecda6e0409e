import { describeDuration } from '../../core/describe-duration.ts'
import { type RateLimitName, rateLimitDefaults } from '../../core/rate-limits.ts'

/** Describes the default of a rate limit: `60 a minute`, `3 an hour`, `5 in 5 minutes`. */
export const describeRateLimit = (name: RateLimitName): string => {
  const { max, windowMs } = rateLimitDefaults[name]
  const window = describeDuration(windowMs)
  const [, unit] = /^1 (.*)$/.exec(window) ?? []
  if (unit === undefined) return `${max} in ${window}`
  return `${max} ${unit === 'hour' ? 'an' : 'a'} ${unit}`
}
