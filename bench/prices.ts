/** Unit prices of AWS in US dollars. */
export interface Prices {
  readonly region: string
  /** DynamoDB on demand, standard table class, per million units. */
  readonly readUnits: number
  readonly writeUnits: number
  /** Lambda on arm64, per GB-second of the first tier, and per million requests. */
  readonly gbSecond: number
  readonly invocations: number
  /** HTTP API of API Gateway, per million requests of the first tier. */
  readonly httpRequests: number
  /** CloudWatch Logs, per GB. */
  readonly logGb: number
  /** KMS with a symmetric key, per million requests. */
  readonly kmsRequests: number
  /** SES, per million emails. */
  readonly emails: number
}

/** What parts of a stack cost in a month in us-east-1, and a GB of storage there. Known list prices, which were not confirmed. */
export const fixedPrices = {
  key: 1,
  secret: 0.4,
  alarmMetric: 0.1,
  ownMetric: 0.3,
  dashboard: 3,
  webAcl: 5,
  webAclRule: 1,
  tableGb: 0.25,
  recoveryGb: 0.2,
} as const

/** The date of `prices`, as in docs/cost.md. */
export const pricesDate = '20 November 2026'

/**
 * List prices, without free tiers and discounts. Those of us-east-1 were compared with published sources. Those of
 * eu-central-1 are known list prices that were not confirmed.
 */
export const prices: readonly Prices[] = [
  {
    region: 'us-east-1',
    readUnits: 0.125,
    writeUnits: 0.625,
    gbSecond: 0.0000133334,
    invocations: 0.2,
    httpRequests: 1,
    logGb: 0.5,
    kmsRequests: 3,
    emails: 100,
  },
  {
    region: 'eu-central-1',
    readUnits: 0.1525,
    writeUnits: 0.7625,
    gbSecond: 0.0000133334,
    invocations: 0.2,
    httpRequests: 1.2,
    logGb: 0.63,
    kmsRequests: 3,
    emails: 100,
  },
]
