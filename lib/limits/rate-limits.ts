import { day, hour, minute } from '../util/time.ts'

/** At most `max` events within any span of `windowMs`. */
export interface RateLimit {
  readonly name: string
  readonly max: number
  readonly windowMs: number
}

/** The default of every rate limit. `rate-limit-descriptions.ts` says what each one counts. */
export const rateLimitDefaults = {
  accountFailures: { max: 100, windowMs: hour },
  addressFailures: { max: 100, windowMs: 10 * minute },
  otpGuesses: { max: 5, windowMs: 5 * minute },
  legacyPasswordChecks: { max: 600, windowMs: minute },
  legacyPasswordOutages: { max: 10, windowMs: 10 * minute },
  passwordConfirmations: { max: 5, windowMs: 5 * minute },
  lookUpFailures: { max: 600, windowMs: minute },
  passkeyChallenges: { max: 300, windowMs: minute },
  passwordToolUses: { max: 60, windowMs: minute },
  resetRequestsPerAccount: { max: 9, windowMs: hour },
  resetRequestsPerRequester: { max: 3, windowMs: hour },
  lockedSignInEmails: { max: 3, windowMs: hour },
  resetRequestsPerAddress: { max: 20, windowMs: hour },
  emailConfirmationsPerAccount: { max: 5, windowMs: hour },
  emailConfirmationsPerRecipient: { max: 5, windowMs: hour },
  invitationsPerAccount: { max: 5, windowMs: hour },
  invitationsPerInviter: { max: 500, windowMs: day },
  invitationsPerRecipient: { max: 5, windowMs: hour },
  emailCodesPerAccount: { max: 9, windowMs: hour },
  emailCodesPerRequester: { max: 3, windowMs: hour },
  emailCodeRequestsPerAddress: { max: 20, windowMs: hour },
  signUpsPerAddress: { max: 20, windowMs: hour },
  signUpsPerDomain: { max: 1000, windowMs: hour },
  signUpsPerRecipient: { max: 3, windowMs: hour },
  signUpNoticesPerApprover: { max: 10, windowMs: hour },
  linkGuessesPerNetwork: { max: 5, windowMs: 10 * minute },
  linkGuesses: { max: 100, windowMs: hour },
  linkMailsPerRecipient: { max: 10, windowMs: hour },
  linkMailsPerUser: { max: 200, windowMs: day },
  securityNotices: { max: 5, windowMs: hour },
  authorizationStarts: { max: 300, windowMs: minute },
  clientDocuments: { max: 60, windowMs: 10 * minute },
  authorizationsPerSession: { max: 120, windowMs: 10 * minute },
  deviceStartsPerNetwork: { max: 60, windowMs: 10 * minute },
  deviceStartsPerClient: { max: 3000, windowMs: 10 * minute },
  deviceCodeGuesses: { max: 10, windowMs: 10 * minute },
  deviceCodeGuessesPerNetwork: { max: 100, windowMs: 10 * minute },
  machineTokensPerClient: { max: 120, windowMs: 10 * minute },
  signInRoutes: { max: 300, windowMs: minute },
  samlStarts: { max: 300, windowMs: minute },
  upstreamLogouts: { max: 600, windowMs: minute },
  domainChecks: { max: 120, windowMs: 10 * minute },
  samlSetupChanges: { max: 60, windowMs: 10 * minute },
  samlDecryptionFailures: { max: 20, windowMs: 10 * minute },
  leakReports: { max: 60, windowMs: minute },
} as const

export type RateLimitName = keyof typeof rateLimitDefaults
export type RateLimits = Readonly<Record<RateLimitName, RateLimit>>

export const rateLimitNames = Object.keys(rateLimitDefaults) as readonly RateLimitName[]

const highestMax = 1_000_000
const longestSeconds = (7 * day) / 1000
/** Shorter windows would be less precise than the clocks of the servers. */
const shortestSeconds = 10

/**
 * Reads a list such as `otpGuesses=10/300, linkMailsPerUser=500/86400` (events per seconds). Limits that it does not
 * name keep their default. Returns an error text, to be put after the name of the setting, if the list is invalid.
 */
export const readRateLimits = (text: string): RateLimits | string => {
  const limits: Record<string, RateLimit> = Object.fromEntries(
    rateLimitNames.map((name) => {
      const { max, windowMs } = rateLimitDefaults[name]
      return [name, { name, max, windowMs }]
    }),
  )
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue
    const [, given = '', max, seconds] = /^(\w+)=(\d{1,9})\/(\d{1,9})$/.exec(entry) ?? []
    const name = rateLimitNames.find((known) => known === given)
    if (!name) return `must be a list such as otpGuesses=5/300 of ${rateLimitNames.join(', ')}`
    const [most, span] = [Number(max), Number(seconds)]
    if (most < 1 || most > highestMax || span < shortestSeconds || span > longestSeconds)
      return `must set ${name} to 1 to ${highestMax} in ${shortestSeconds} to ${longestSeconds} seconds`
    limits[name] = { name, max: most, windowMs: span * 1000 }
  }
  return limits as RateLimits
}
