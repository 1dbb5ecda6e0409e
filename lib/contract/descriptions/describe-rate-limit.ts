import { type RateLimitName, rateLimitDefaults } from '../../limits/rate-limits.ts'
import { describeDuration } from '../../util/describe-duration.ts'

/** Describes the default of a rate limit: `60 a minute`, `3 an hour`, `5 in 5 minutes`. */
export const describeRateLimit = (name: RateLimitName): string => {
  const { max, windowMs } = rateLimitDefaults[name]
  const window = describeDuration(windowMs)
  const [, unit] = /^1 (.*)$/.exec(window) ?? []
  if (unit === undefined) return `${max} in ${window}`
  return `${max} ${unit === 'hour' ? 'an' : 'a'} ${unit}`
}
