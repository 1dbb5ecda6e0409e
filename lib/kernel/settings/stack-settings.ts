import { newTableUnits } from '../limits/aws-limits.ts'
import { flag, oneOf, type Schema, text, whole } from './schemas.ts'
import { setting } from './setting.ts'

/* The settings of the stack that functions do not read. `service-settings.ts` has the others, and says what follows from them. */

export const removalPolicies = ['retain', 'destroy'] as const

export const priceClasses = ['100', '200', 'all'] as const

export const mailTlsPolicies = ['require', 'optional'] as const

const matching = (pattern: RegExp, rule: string): Schema<string> => ({
  kind: 'text',
  rule,
  accepts: (given): given is string => typeof given === 'string' && pattern.test(given),
})

const stackName = matching(
  /^[a-z][a-z\d-]{0,127}$/i,
  'must start with a letter, and consist of at most 128 letters, digits and hyphens',
)

/** The numbers of days that CloudWatch can keep a log. */
export const logDays = [
  ...[
    1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
  ],
  // Not a number of days: CloudWatch then keeps the log forever.
  9999,
]

const days: Schema<number> = {
  kind: 'number',
  rule: `must be one of ${logDays.join(', ')}`,
  accepts: (given): given is number => typeof given === 'number' && logDays.includes(given),
}

const topicArn = matching(
  /^arn:aws[a-z-]*:sns:[a-z\d-]+:\d{12}:[\w-]+$/,
  'must be the ARN of a topic, such as arn:aws:sns:eu-central-1:111122223333:alarms',
)

const region = matching(/^[a-z]+(-[a-z\d]+)*$/, 'must be the name of a region, such as eu-central-1')

export const stackSettings = {
  /** The file with the settings: `prod` stands for `config/prod.json`. Settings of the context override the file. */
  stage: setting({ schema: text, on: ['app'] }),

  /** The name of the stack. Use another name for a second service in one account. */
  stackName: setting({ schema: stackName, default: 'Latchkey', on: ['app'] }),

  /** The region of the stack. The default is the region of your AWS credentials. `frontDoor` requires it. */
  region: setting({ schema: region, on: ['app'] }),

  /**
   * Whether CloudFormation refuses to delete the stack. The default is true for the stack of a stage, and false without a
   * stage.
   */
  terminationProtection: setting({ schema: flag, on: ['app'] }),

  /** A domain name for the service. It requires `certificateArn`, or `hostedZoneId` and `hostedZoneName`. */
  domainName: setting({ schema: text, on: ['app'] }),

  /**
   * The ARN of an ACM certificate for `domainName`, in the region of the stack. Without it, a certificate is created in
   * the hosted zone.
   */
  certificateArn: setting({ schema: text, on: ['app'] }),

  /** The ID of the Route 53 hosted zone of `domainName`. The DNS records are created there. */
  hostedZoneId: setting({ schema: text, on: ['app'] }),

  /** The domain of the hosted zone, such as `example.com`. */
  hostedZoneName: setting({ schema: text, on: ['app'] }),

  /**
   * The name that the service had before `domainName`. It stays until you remove this setting. See
   * [Change the domain](../deploy.md#change-the-domain).
   */
  formerDomainName: setting({ schema: text, on: ['app'] }),

  /** The ARN of the certificate of `formerDomainName`, if it was given, or if the name is not in the hosted zone. */
  formerCertificateArn: setting({ schema: text, on: ['app'] }),

  /**
   * Whether the URL of API Gateway works beside `domainName`. Turn it off once no client uses it. With `frontDoor`, it never works.
   */
  defaultUrl: setting({ schema: flag, default: true, on: ['stack'] }),

  /** Whether CloudFront and AWS WAF are before the service. See [Front door](../deploy.md#front-door). */
  frontDoor: setting({ schema: flag, default: false, on: ['app'] }),

  /**
   * The ARN of an ACM certificate for `domainName` in us-east-1, for `frontDoor`. Without it, one is created in the
   * hosted zone.
   */
  frontDoorCertificateArn: setting({ schema: text, on: ['app'] }),

  /**
   * The ARN of a web ACL of yours for `frontDoor`, in us-east-1 and with the scope `CLOUDFRONT`, instead of the created
   * one.
   */
  webAclArn: setting({ schema: text, on: ['app'] }),

  /** How many requests one address may send in five minutes with `frontDoor`. */
  requestsPerAddress: setting({ schema: whole(10, 2_000_000_000), default: 10_000, on: ['app'] }),

  /** The edge locations of `frontDoor`: `100` is North America and Europe. */
  priceClass: setting({ schema: oneOf(priceClasses), default: '100', on: ['app'] }),

  /** The number of the secret between CloudFront and the service. Raise it by 1 to rotate the secret. */
  originSecretVersion: setting({ schema: whole(1), default: 1, on: ['app'] }),

  /** Requests per second that the API accepts on average. */
  requestsPerSecond: setting({ schema: whole(1), default: 1000, on: ['stack'] }),

  /** Requests that the API accepts in a burst. */
  requestsInBurst: setting({ schema: whole(1), default: 2000, on: ['stack'] }),

  /**
   * Read units a second that the table, and its index, can take at once. Without it, a new table takes 12,000. AWS bills an
   * increase once, and refuses to lower it. See [Scaling](../scaling.md#the-table).
   */
  warmReadUnits: setting({ schema: whole(newTableUnits.read), on: ['stack'] }),

  /** Write units a second that the table, and its index, can take at once. Without it, a new table takes 4,000. */
  warmWriteUnits: setting({ schema: whole(newTableUnits.write), on: ['stack'] }),

  /**
   * The most read units a second that the table, and its index, take. It limits the bill of an attack. Requests above it get 503.
   * See [A ceiling for the bill](../scaling.md#a-ceiling-for-the-bill).
   */
  maxReadUnits: setting({ schema: whole(1), on: ['stack'] }),

  /** The most write units a second that the table, and its index, take. */
  maxWriteUnits: setting({ schema: whole(1), on: ['stack'] }),

  /** How many days logs are kept, or `9999` to keep them forever. */
  logRetention: setting({ schema: days, default: 90, on: ['stack'] }),

  /** What happens to the table, the keys, the secret of the admin and the backups when the stack is deleted. */
  removalPolicy: setting({ schema: oneOf(removalPolicies), default: 'retain', on: ['stack'] }),

  /**
   * Whether emails leave SES only over an encrypted connection. They have links and codes to sign in with. With `optional`, they also
   * reach mail servers without TLS, in plain text.
   */
  mailTlsPolicy: setting({ schema: oneOf(mailTlsPolicies), default: 'require', on: ['stack'] }),

  /** The email address that receives alarms. Its owner must confirm the subscription, by the email that SNS sends. */
  alarmEmail: setting({ schema: text, on: ['stack'] }),

  /** The ARN of a topic of yours that receives alarms, instead of `alarmEmail`. */
  alarmTopicArn: setting({ schema: topicArn, on: ['stack'] }),

  /**
   * The ARN of a topic of yours in us-east-1 that receives the alarms of `frontDoor`, instead of `alarmEmail`. Without it,
   * `alarmTopicArn` receives them if it is in us-east-1.
   */
  frontDoorAlarmTopicArn: setting({ schema: topicArn, on: ['app'] }),

  /**
   * Whether each function may use all items of the table, instead of the kinds that it needs. Only for the time in which
   * DynamoDB refuses calls that the roles should allow. See [Refused calls](../operate.md#calls-that-dynamodb-refuses).
   */
  wholeTableGrants: setting({ schema: flag, default: false, on: ['stack'] }),

  /** Whether AWS X-Ray records requests. */
  tracing: setting({ schema: flag, default: false, on: ['stack'] }),

  /**
   * Concurrent executions reserved for each function that hashes passwords. Without it, they share those of the
   * account. See [Scaling](../scaling.md#concurrency).
   */
  hashingConcurrency: setting({ schema: whole(1), on: ['stack'] }),

  /** Whether AWS Backup keeps daily and monthly copies of the table. */
  backup: setting({ schema: flag, default: false, on: ['stack'] }),

  /**
   * Another region, for a copy of each daily backup and for replicas of the keys. It requires `backup`. See [If the region
   * fails](../multi-region.md#if-the-region-fails).
   */
  backupRegion: setting({ schema: region, on: ['stack'] }),

  /**
   * Whether signed audit events are copied to a bucket. It remains when the stack is deleted. See [Keep audit events
   * longer](../operate.md#keep-audit-events-longer).
   */
  auditArchive: setting({ schema: flag, default: false, on: ['stack'] }),

  /** Whether the stack has a CloudWatch dashboard. */
  dashboard: setting({ schema: flag, default: true, on: ['stack'] }),

  /**
   * The name of a restored or retained table to use instead of a new one. It requires `tableStreamArn`. See [Adopt a
   * table](../operate.md#adopt-a-table).
   */
  tableName: setting({ schema: text, on: ['app'] }),

  /** The ARN of the stream of that table. The stream must contain keys only. */
  tableStreamArn: setting({ schema: text, on: ['app'] }),

  /** The ARN of the KMS key that encrypts that table. The default is the key of the stack. */
  tableKeyArn: setting({ schema: text, on: ['app'] }),

  /**
   * The ARN of the KMS key that encrypted the secrets inside an adopted table, such as second factors, instead of a new
   * key.
   */
  vaultKeyArn: setting({ schema: text, on: ['stack'] }),

  /**
   * The ARN of another vault key that only decrypts, while secrets move from one key to another. See [Rotate
   * keys](../operate.md#change-the-vault-key).
   */
  otherVaultKeyArn: setting({ schema: text, on: ['stack'] }),

  /** The ARN of the KMS key that signed the audit checkpoints of an adopted table, instead of a new key. */
  auditKeyArn: setting({ schema: text, on: ['stack'] }),
}
