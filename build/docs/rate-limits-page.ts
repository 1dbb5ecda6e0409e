import { freeLoginFailures, loginBackOffFirstMs, loginBackOffMaxMs } from '../../lib/limits/limits.ts'
import { rateLimitDescriptions } from '../../lib/limits/rate-limit-descriptions.ts'
import { rateLimitDefaults, rateLimitNames } from '../../lib/limits/rate-limits.ts'
import { describeDuration } from '../../lib/util/describe-duration.ts'
import { code, markdownTable, page } from './markdown.ts'

export const rateLimitsPage = (): string =>
  page(
    'Rate limits',
    `A request above a limit gets status 429, code \`too_many_requests\`, and a \`Retry-After\` header in seconds. Change
limits with the setting \`RATE_LIMITS\` (local mode) or \`rateLimits\` (deployed), for example
\`otpGuesses=10/300\` for 10 events in 300 seconds. See [Configuration](../configuration.md#rate-limits).`,
    markdownTable(
      ['limit', 'default', 'counts'],
      rateLimitNames.map((name) => {
        const { max, windowMs } = rateLimitDefaults[name]
        return [code(name), `${max} in ${describeDuration(windowMs)}`, rateLimitDescriptions[name]]
      }),
    ),
    '## Fixed limits',
    `- After ${freeLoginFailures} failed sign-ins for one account from one address, each further one must wait. The wait starts
  at ${describeDuration(loginBackOffFirstMs)} and doubles up to ${describeDuration(loginBackOffMaxMs)}.`,
  )
