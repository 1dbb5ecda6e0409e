import { CfnOutput, RemovalPolicy, Token } from 'aws-cdk-lib'
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import type { Table } from 'aws-cdk-lib/aws-dynamodb'
import type { EventBus } from 'aws-cdk-lib/aws-events'
import type { Key } from 'aws-cdk-lib/aws-kms'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import type { Group } from '../lib/contract/operation.ts'
import { operations } from '../lib/contract/operations.ts'
import { readRateLimits } from '../lib/core/rate-limits.ts'
import { addRoutes, addStage, createApi } from './api.ts'
import { createAuditBus } from './audit-bus.ts'
import { createFirstAdmin } from './first-admin.ts'
import { createFunction } from './functions.ts'
import { createKey, createVaultKey } from './keys.ts'
import { createMailer, excuseIdentities, mailSending } from './mail.ts'
import { createMailEvents } from './mail-events.ts'
import { createAlarms, createAlarmTopic } from './monitoring.ts'
import { createSamlRefresh } from './saml.ts'
import { createTable } from './table.ts'

export interface AuthServiceProps {
  /** The https origin of the service. The default is the domain, else the URL of the API. */
  readonly publicUrl?: string
  /** The origins of products. Their pages may call the service, and users may be redirected to them. */
  readonly allowedOrigins?: readonly string[]
  /** The https address of the sign-in page of the product, if it has one. */
  readonly signInUrl?: string
  /** A domain name with a certificate of the same region. Point the name at the output `DomainTarget`. */
  readonly domain?: { readonly name: string; readonly certificateArn: string }
  /** What happens to the table, its key and the secret of the admin with the stack. The default is `RETAIN`. */
  readonly removalPolicy?: RemovalPolicy
  /** The sender of emails, as an address or `Name <address>`. SES must have verified it. Without it, no email is sent. */
  readonly mailFrom?: string
  /** Changed rate limits, such as `otpGuesses=10/300` for 10 events in 300 seconds. */
  readonly rateLimits?: string
  /** The range API that reports breached passwords, Have I Been Pwned by default. Empty turns the lookup off. */
  readonly breachEndpoint?: string
  /** How long logs are kept, 90 days by default. */
  readonly logRetention?: RetentionDays
  /** The level of the log, `info` by default. */
  readonly logLevel?: 'debug' | 'info' | 'warn' | 'error'
  /** Requests per second, on average and in a burst, that the API accepts. The default is 500 and 1,000. */
  readonly throttle?: { readonly rateLimit: number; readonly burstLimit: number }
  /** The email address that receives alarms. */
  readonly alarmEmail?: string
  /** The topic that receives alarms, instead of `alarmEmail`. */
  readonly alarmTopic?: ITopic
  /** A folder that `node infra/bundle.ts` wrote; the functions are bundled during synthesis if omitted. */
  readonly bundleDir?: string | undefined
}

/** A function for each group of operations that there is, and one for all other requests. */
const folders: readonly (Group | 'unmatched')[] = [
  ...new Set<Group | 'unmatched'>([...operations.map(({ group }) => group), 'unmatched']),
]

/** Groups that send mail themselves, because their callers are told how that went. */
const sendsMail: readonly (Group | 'unmatched')[] = ['access-tokens']

type Functions = Readonly<Record<Group | 'unmatched', LambdaFunction>>

const assertWebPage = (text: string): void => {
  if (!Token.isUnresolved(text) && URL.parse(text)?.protocol !== 'https:')
    throw new Error(`"${text}" is not the https address of a page.`)
}

const assertOrigin = (text: string): void => {
  if (Token.isUnresolved(text)) return
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || url.origin !== text)
    throw new Error(
      `"${text}" is not an https origin, such as https://auth.example.com, without a slash at the end.`,
    )
}

/**
 * The authentication service: an HTTP API, a function for each group of operations, and the one table. Put it into
 * a stack of yours and grant nothing: each function has what it needs.
 */
export class AuthService extends Construct {
  /** Where clients reach the service, without a slash at the end. */
  readonly url: string
  readonly httpApi: HttpApi
  readonly table: Table
  /** Encrypts the table and the secret. */
  readonly key: Key
  /** Encrypts what is secret inside the table. Without it, nobody with a second factor can sign in. */
  readonly vaultKey: Key
  /** Where every record of who did what arrives, for rules of your own. */
  readonly auditBus: EventBus
  /** Holds the first password of the user `admin`. */
  readonly adminPassword: Secret
  /** By the name of their folder. */
  readonly functions: Functions

  constructor(scope: Construct, id: string, props: AuthServiceProps = {}) {
    super(scope, id)
    const {
      domain,
      allowedOrigins = [],
      removalPolicy = RemovalPolicy.RETAIN,
      logRetention = RetentionDays.THREE_MONTHS,
      throttle = { rateLimit: 500, burstLimit: 1000 },
    } = props
    for (const origin of [...allowedOrigins, ...(props.publicUrl ? [props.publicUrl] : [])])
      assertOrigin(origin)
    if (props.signInUrl) assertWebPage(props.signInUrl)
    const rateLimits = readRateLimits(props.rateLimits ?? '')
    if (typeof rateLimits === 'string') throw new Error(`rateLimits ${rateLimits}`)

    this.key = createKey(this, removalPolicy)
    this.vaultKey = createVaultKey(this, removalPolicy)
    this.table = createTable(this, this.key, removalPolicy)
    this.httpApi = createApi(this, { allowedOrigins, hasDomain: domain !== undefined })
    this.url = props.publicUrl ?? (domain ? `https://${domain.name}` : this.httpApi.apiEndpoint)

    const environment = {
      TABLE_NAME: this.table.tableName,
      PUBLIC_URL: this.url,
      ALLOWED_ORIGINS: allowedOrigins.join(','),
      SIGN_IN_URL: props.signInUrl ?? '',
      LOG_LEVEL: props.logLevel ?? 'info',
      RATE_LIMITS: props.rateLimits ?? '',
      ...(props.breachEndpoint === undefined ? {} : { BREACH_ENDPOINT: props.breachEndpoint }),
    }
    const common = {
      table: this.table,
      vaultKey: this.vaultKey,
      environment,
      logRetention,
      bundleDir: props.bundleDir,
    }
    const mailEvents = createMailEvents(this, { ...common, key: this.key })
    const sending = mailSending(this, props.mailFrom, mailEvents.configurationSetName)
    const sender = {
      ...common,
      environment: { ...environment, ...sending.environment },
      statements: sending.statements,
    }
    this.functions = Object.fromEntries(
      folders.map((name) => [name, createFunction(this, name, sendsMail.includes(name) ? sender : common)]),
    ) as Functions
    for (const name of sendsMail) excuseIdentities(this.functions[name])
    addRoutes(this.httpApi, this.functions)
    const domainTarget = addStage(this.httpApi, { domain, throttle, logRetention })
    this.adminPassword = createFirstAdmin(this, { ...common, key: this.key, removalPolicy })

    const { mailer, undelivered } = createMailer(this, { ...common, key: this.key, sending })
    const { bus, deadLetters } = createAuditBus(this, this.table, this.key)
    this.auditBus = bus
    const samlRefresh = createSamlRefresh(this, common)

    const topic = props.alarmTopic ?? (props.alarmEmail && createAlarmTopic(this, this.key, props.alarmEmail))
    createAlarms(this, {
      httpApi: this.httpApi,
      functions: { ...this.functions, mailer, 'mail-events': mailEvents.target, 'saml-refresh': samlRefresh },
      table: this.table,
      deadLetters: { 'mails that could not be sent': undelivered, 'audit records not carried': deadLetters },
      topic: topic || undefined,
    })
    this.#describe(domainTarget)
  }

  #describe(domainTarget: string | undefined): void {
    const output = (id: string, description: string, value: string) =>
      new CfnOutput(this, id, { description, value })
    output('Url', 'Where the service answers', this.url)
    output('TableName', 'The table: --table of the command that imports users', this.table.tableName)
    output(
      'AdminPasswordSecret',
      'The secret with the password of the user admin',
      this.adminPassword.secretArn,
    )
    output(
      'AdminPasswordCommand',
      'Prints the password of the user admin',
      `aws secretsmanager get-secret-value --secret-id ${this.adminPassword.secretArn} --query SecretString --output text`,
    )
    output(
      'VaultKeyArn',
      'The key that second factors are encrypted by: KMS_KEY_ID of the command that imports users',
      this.vaultKey.keyArn,
    )
    if (domainTarget)
      output('DomainTarget', 'Where the DNS name of the service has to point to', domainTarget)
  }
}
