import type { Operation } from '../kernel/contract/operation.ts'
import { type RateLimitName, rateLimitDefaults, rateLimitDescriptions } from '../kernel/limits/rate-limits.ts'
import { describeDuration } from '../kernel/util/time.ts'

/** Describes the audit events that an operation declares, in one sentence. */
export const describeAuditEvents = ({ audit = [] }: Operation): string => {
  const names = audit.map((name) => `\`${name}\``)
  const last = names.pop()
  if (last === undefined) return ''
  return names.length === 0
    ? `The audit event is ${last}.`
    : `The audit events are ${names.join(', ')} and ${last}.`
}

/** Describes the rate limits that an operation declares, as a list with their defaults. */
export const describeLimits = ({ limits = [] }: Operation): string =>
  limits.length === 0
    ? ''
    : ['Rate limits, unless the service sets others:', '', ...limits.map(describeLimit)].join('\n')

const describeLimit = (name: RateLimitName): string =>
  `- \`${name}\`: ${describeRateLimit(name)}. ${rateLimitDescriptions[name]}`

/** Describes the default of a rate limit: `60 a minute`, `3 an hour`, `5 in 5 minutes`. */
const describeRateLimit = (name: RateLimitName): string => {
  const { max, windowMs } = rateLimitDefaults[name]
  const window = describeDuration(windowMs)
  const [, unit] = /^1 (.*)$/.exec(window) ?? []
  if (unit === undefined) return `${max} in ${window}`
  return `${max} ${unit === 'hour' ? 'an' : 'a'} ${unit}`
}
