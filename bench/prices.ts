/** The regions of the page. Totals of a month, and prices of others, are those of the first one. */
export const regions = ['us-east-1', 'eu-central-1'] as const
export type Region = (typeof regions)[number]

/** A list price of AWS in US dollars, of the first tier, without free tiers and discounts. */
export interface Price {
  /** What is paid for, as the page says it. */
  readonly unit: string
  readonly dollars: number
  /** The price in eu-central-1 if it differs. None of these was confirmed. */
  readonly inEuCentral1?: number
  readonly source: string
  /** The day on which the price was last seen in a published source. */
  readonly seen: string
  /** Whether it was compared with a published source, or is a known list price. */
  readonly isConfirmed: boolean
}

const confirmed = { seen: '20 November 2026', isConfirmed: true } as const
const known = { seen: '20 November 2026', isConfirmed: false } as const

const dynamodb = 'https://aws.amazon.com/dynamodb/pricing/on-demand/'
const lambda = 'https://aws.amazon.com/lambda/pricing/'
const cloudWatch = 'https://aws.amazon.com/cloudwatch/pricing/'
const kms = 'https://aws.amazon.com/kms/pricing/'
const waf = 'https://aws.amazon.com/waf/pricing/'

/** All prices of AWS that the page computes with. */
export const prices = {
  writeUnits: {
    unit: 'DynamoDB on demand, million write units',
    dollars: 0.625,
    inEuCentral1: 0.7625,
    source: dynamodb,
    ...confirmed,
  },
  readUnits: {
    unit: 'DynamoDB on demand, million read units',
    dollars: 0.125,
    inEuCentral1: 0.1525,
    source: dynamodb,
    ...confirmed,
  },
  tableGb: { unit: 'DynamoDB, GB stored for a month', dollars: 0.25, source: dynamodb, ...known },
  recoveryGb: {
    unit: 'DynamoDB, GB with point-in-time recovery for a month',
    dollars: 0.2,
    source: dynamodb,
    ...known,
  },
  streamReads: {
    unit: 'DynamoDB streams, million reads by Lambda',
    dollars: 0,
    source: dynamodb,
    ...known,
  },
  gbSecond: { unit: 'Lambda arm64, GB-second', dollars: 0.0000133334, source: lambda, ...confirmed },
  invocations: { unit: 'Lambda, million requests', dollars: 0.2, source: lambda, ...confirmed },
  httpRequests: {
    unit: 'HTTP API, million requests',
    dollars: 1,
    inEuCentral1: 1.2,
    source: 'https://aws.amazon.com/api-gateway/pricing/',
    ...confirmed,
  },
  logGb: {
    unit: 'CloudWatch Logs, GB received',
    dollars: 0.5,
    inEuCentral1: 0.63,
    source: cloudWatch,
    ...confirmed,
  },
  storedLogGb: {
    unit: 'CloudWatch Logs, GB stored for a month',
    dollars: 0.03,
    source: cloudWatch,
    ...known,
  },
  alarmMetric: {
    unit: 'CloudWatch, metric in an alarm for a month',
    dollars: 0.1,
    source: cloudWatch,
    ...known,
  },
  ownMetric: {
    unit: 'CloudWatch, metric of the service for a month in which its event always occurs',
    dollars: 0.3,
    source: cloudWatch,
    ...known,
  },
  dashboard: { unit: 'CloudWatch, dashboard for a month', dollars: 3, source: cloudWatch, ...known },
  kmsRequests: { unit: 'KMS, million requests', dollars: 3, source: kms, ...confirmed },
  key: { unit: 'KMS, key for a month', dollars: 1, source: kms, ...known },
  secret: {
    unit: 'Secrets Manager, secret for a month',
    dollars: 0.4,
    source: 'https://aws.amazon.com/secrets-manager/pricing/',
    ...known,
  },
  emails: {
    unit: 'SES, million emails',
    dollars: 100,
    source: 'https://aws.amazon.com/ses/pricing/',
    ...confirmed,
  },
  traces: {
    unit: 'X-Ray, million traces',
    dollars: 5,
    source: 'https://aws.amazon.com/xray/pricing/',
    ...confirmed,
  },
  busEvents: {
    unit: 'EventBridge, million events',
    dollars: 1,
    source: 'https://aws.amazon.com/eventbridge/pricing/',
    ...known,
  },
  transferGb: {
    unit: 'transfer to the internet, GB',
    dollars: 0.09,
    source: 'https://aws.amazon.com/ec2/pricing/on-demand/',
    ...known,
  },
  frontDoorRequests: {
    unit: 'CloudFront, million HTTPS requests',
    dollars: 1,
    source: 'https://aws.amazon.com/cloudfront/pricing/',
    ...known,
  },
  webAcl: { unit: 'WAF, web ACL for a month', dollars: 5, source: waf, ...known },
  webAclRule: { unit: 'WAF, rule of a web ACL for a month', dollars: 1, source: waf, ...known },
  wafRequests: { unit: 'WAF, million requests', dollars: 0.6, source: waf, ...known },
  backupGb: {
    unit: 'AWS Backup, GB of warm storage for a month',
    dollars: 0.1,
    source: 'https://aws.amazon.com/backup/pricing/',
    ...known,
  },
  copyGb: {
    unit: 'AWS Backup, GB copied to another region',
    dollars: 0.02,
    source: 'https://aws.amazon.com/backup/pricing/',
    ...known,
  },
  archiveGb: {
    unit: 'S3, GB stored for a month',
    dollars: 0.023,
    source: 'https://aws.amazon.com/s3/pricing/',
    ...known,
  },
} as const satisfies Record<string, Price>

export const priceOf = (name: keyof typeof prices, region: Region = 'us-east-1'): number => {
  const { dollars, inEuCentral1 = dollars }: Price = prices[name]
  return region === 'eu-central-1' ? inEuCentral1 : dollars
}
