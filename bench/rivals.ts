/** What a service of others costs in a month. */
export interface Rival {
  readonly name: string
  /** Users of a month who cost nothing. */
  readonly free: number
  /** A price for each month, as soon as more users than the free ones are active. */
  readonly base?: number
  /** Dollars for each user, up to this number of users. Above the last number there is no list price. */
  readonly tiers: readonly (readonly [upTo: number, dollars: number])[]
  /** What the plan counts or leaves out. */
  readonly note: string
  readonly source: string
  /** The day on which the prices were last seen, and where. */
  readonly seen: string
}

const everyUser = Number.POSITIVE_INFINITY
const transcribed = '20 September 2026, in a transcription of the page. Not confirmed on the page itself'
const cognito = 'https://aws.amazon.com/cognito/pricing/'

/** The prices of others, each with its source. Nothing else on the page says what they cost. */
export const rivals: readonly Rival[] = [
  {
    name: 'Cognito Lite',
    free: 10_000,
    tiers: [
      [100_000, 0.0055],
      [1_000_000, 0.0046],
      [10_000_000, 0.00325],
    ],
    note: 'no passkeys, no sign-in by email code',
    source: cognito,
    seen: `${transcribed}. The price above a million users is a known list price`,
  },
  {
    name: 'Cognito Essentials',
    free: 10_000,
    tiers: [[everyUser, 0.015]],
    note: 'users of SAML and OpenID Connect cost more than these prices after the first 50',
    source: cognito,
    seen: transcribed,
  },
  {
    name: 'Cognito Plus',
    free: 0,
    tiers: [[everyUser, 0.02]],
    note: 'with logs of activity and detection of stolen passwords',
    source: cognito,
    seen: transcribed,
  },
  {
    name: 'Auth0',
    free: 25_000,
    tiers: [],
    note: 'the plan Free. Essentials starts at 35 dollars for 500 users, Professional at 240. Above the free plan, prices depend on a choice of users on the page, which was not seen',
    source: 'https://auth0.com/pricing',
    seen: transcribed,
  },
  {
    name: 'Clerk',
    free: 50_000,
    base: 25,
    tiers: [
      [100_000, 0.02],
      [1_000_000, 0.018],
      [10_000_000, 0.015],
      [everyUser, 0.012],
    ],
    note: 'the plans Hobby and Pro, which count users who return after a day',
    source: 'https://clerk.com/pricing',
    seen: transcribed,
  },
  {
    name: 'WorkOS',
    free: 1_000_000,
    tiers: [[everyUser, 0.0025]],
    note: '2,500 dollars for each further million. A company connection costs 125 dollars a month, less from the 16th on, and a domain of yours 99',
    source: 'https://workos.com/pricing',
    seen: '22 May 2026, in a transcription of the page. Not confirmed on the page itself',
  },
]

/** The dollars of a month. Undefined if there is no list price for so many users. */
export const priceRival = ({ free, base = 0, tiers }: Rival, users: number): number | undefined => {
  if (users <= free) return 0
  let [from, dollars] = [free, base]
  for (const [upTo, each] of tiers) {
    dollars += (Math.min(users, upTo) - from) * each
    if (users <= upTo) return dollars
    from = upTo
  }
  return undefined
}
