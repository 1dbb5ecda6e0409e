/** So many events within any span of `windowMs`. */
export interface RateLimit {
  readonly name: string
  readonly max: number
  readonly windowMs: number
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** How often something may happen, where nobody says otherwise; each with what it is for. */
const defaults = {
  /** Guesses at one account from everywhere; then only addresses that signed in to it before are let in. */
  accountFailures: { max: 100, windowMs: hour },
  /** Guesses from one address at whatever account: a thief of password lists tries each account once. */
  addressFailures: { max: 100, windowMs: 10 * minute },
  /** Guesses at a second factor, from wherever: a code has a million values, of which three are right. */
  otpGuesses: { max: 5, windowMs: 5 * minute },
  /** Tries at the current password by somebody who holds a session, perhaps not its own. */
  passwordConfirmations: { max: 5, windowMs: 5 * minute },
  /** Failed look-ups of tickets and links by one address. None can be guessed; this bounds what trying costs us. */
  lookUpFailures: { max: 600, windowMs: minute },
  /** Rating and generating passwords takes our processor. */
  passwordToolUses: { max: 60, windowMs: minute },
  /** Mails with a reset link to one account, and from one address: nobody's mailbox is to be filled. */
  resetRequestsPerAccount: { max: 3, windowMs: hour },
  resetRequestsPerAddress: { max: 20, windowMs: hour },
  /**
   * Guesses at the password of one link: from one network, and from everywhere. Whoever has the link can use them up, so
   * the first is the smaller one: it shuts out the network that guesses and nobody else.
   */
  linkGuessesPerNetwork: { max: 5, windowMs: 10 * minute },
  linkGuesses: { max: 100, windowMs: hour },
  /** Mails with one link to one recipient, and mails of links that one user has sent. */
  linkMailsPerRecipient: { max: 10, windowMs: hour },
  linkMailsPerUser: { max: 200, windowMs: day },
  /** Wrong encrypted assertions from one network: trying many is how a cipher without integrity is read. */
  samlDecryptionFailures: { max: 20, windowMs: 10 * minute },
} as const

export type RateLimitName = keyof typeof defaults
export type RateLimits = Readonly<Record<RateLimitName, RateLimit>>

export const rateLimitNames = Object.keys(defaults) as readonly RateLimitName[]

const highestMax = 1_000_000
const longestSeconds = (7 * day) / 1000
/** Below it, the slices that events are counted in would be shorter than clocks are exact. */
const shortestSeconds = 10

/**
 * The limits, of which a text such as `otpGuesses=10/300, linkMailsPerUser=500/86400` sets some: so many in so many
 * seconds. Returns a sentence that goes on from the setting's name where the text isn't one.
 */
export const readRateLimits = (text: string): RateLimits | string => {
  const limits: Record<string, RateLimit> = Object.fromEntries(
    rateLimitNames.map((name) => [name, { name, ...defaults[name] }]),
  )
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue
    const [, given = '', max, seconds] = /^(\w+)=(\d{1,9})\/(\d{1,9})$/.exec(entry) ?? []
    const name = rateLimitNames.find((known) => known === given)
    if (!name) return `is not a list such as otpGuesses=5/300 of ${rateLimitNames.join(', ')}`
    const [most, span] = [Number(max), Number(seconds)]
    if (most < 1 || most > highestMax || span < shortestSeconds || span > longestSeconds)
      return `must set ${name} to 1 to ${highestMax} in ${shortestSeconds} to ${longestSeconds} seconds`
    limits[name] = { name, max: most, windowMs: span * 1000 }
  }
  return limits as RateLimits
}
