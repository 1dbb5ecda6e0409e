import { newTableUnits } from '../limits/aws-limits.ts'
import { domainSchema, frontDoorSchema, hooksSchema, tableSchema } from './object-settings.ts'
import { flag, oneOf, text, whole } from './schemas.ts'
import { setting } from './setting.ts'
import {
  days,
  mailTlsPolicies,
  products,
  region,
  removalPolicies,
  stackName,
  topicArn,
} from './stack-schemas.ts'

/* The settings of the stack that functions do not read. `service-settings.ts` has the others, and says what follows from them. */

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

  /** The domain of the service. It requires `certificateArn`, or `hostedZone`, or both. */
  domain: setting({ schema: domainSchema, on: ['stack'] }),

  /**
   * The domain that the service had before `domain`. It stays until you remove this setting. Its hosted zone is that of `domain`,
   * if the name is in it. Not with `frontDoor`. See [Change the domain](../deploy.md#change-the-domain).
   */
  formerDomain: setting({ schema: domainSchema, on: ['stack'] }),

  /**
   * Whether the URL of API Gateway works beside `domain`. Turn it off once no client uses it. With `frontDoor`, it never works.
   */
  defaultUrl: setting({ schema: flag, default: true, on: ['stack'] }),

  /**
   * CloudFront and AWS WAF before the service, which then answers no other requests. `true` creates all parts. It requires `domain`
   * and the region of the stack. See [Front door](../deploy.md#front-door).
   */
  frontDoor: setting({ schema: frontDoorSchema, on: ['stack'] }),

  /**
   * Your functions that the service asks at sign-ins and before tokens. Each is a Lambda function in your account. See
   * [Hooks](../concepts/hooks.md).
   */
  hooks: setting({ schema: hooksSchema, on: ['stack'] }),

  /** Requests per second that the API accepts on average. */
  requestsPerSecond: setting({ schema: whole(1), default: 1000, on: ['stack'] }),

  /** Requests that the API accepts in a burst. */
  requestsInBurst: setting({ schema: whole(1), default: 2000, on: ['stack'] }),

  /**
   * Read units a second that the table, and each of its indexes, can take at once. Without it, a new table takes 12,000. AWS bills an
   * increase once, and refuses to lower it. See [Scaling](../scaling.md#the-table).
   */
  warmReadUnits: setting({ schema: whole(newTableUnits.read), on: ['stack'] }),

  /** Write units a second that the table, and each of its indexes, can take at once. Without it, a new table takes 4,000. */
  warmWriteUnits: setting({ schema: whole(newTableUnits.write), on: ['stack'] }),

  /**
   * The most read units a second that the table, and each of its indexes, take. It limits the bill of an attack. Requests above it get 503.
   * See [A ceiling for the bill](../scaling.md#a-ceiling-for-the-bill).
   */
  maxReadUnits: setting({ schema: whole(1), on: ['stack'] }),

  /** The most write units a second that the table, and each of its indexes, take. */
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

  /**
   * The email address of the first administrator. With `mailFrom`, they get an invitation instead of a password in Secrets Manager.
   * Without it, the address has no effect. See [The first administrator](../deploy.md#the-first-administrator).
   */
  adminEmail: setting({ schema: text, on: ['stack'] }),

  /** The email address that receives alarms. Its owner must confirm the subscription, by the email that SNS sends. */
  alarmEmail: setting({ schema: text, on: ['stack'] }),

  /** The ARN of a topic of yours that receives alarms, instead of `alarmEmail`. */
  alarmTopicArn: setting({ schema: topicArn, on: ['stack'] }),

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

  /**
   * Products that configure their own clients and APIs: `films`, or `films=444455556666` for each other account that may do it, in the same
   * region. See [Products that are no administrators](../as-code.md#products-that-are-no-administrators).
   */
  products: setting({ schema: products, default: [], on: ['stack'] }),

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

  /** A restored or retained table to use instead of a new one. See [Adopt a table](../operate.md#adopt-a-table). */
  table: setting({ schema: tableSchema, on: ['stack'] }),

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
