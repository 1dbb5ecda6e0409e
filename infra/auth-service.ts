import { RemovalPolicy, Token } from 'aws-cdk-lib'
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
import { isRecentAuthentication, recentAuthenticationRule } from '../lib/core/config.ts'
import { readRateLimits } from '../lib/core/rate-limits.ts'
import { readSessionLifetimes } from '../lib/core/session-lifetimes.ts'
import { addRoutes, addStage, createApi } from './api.ts'
import { createAuditBus } from './audit-bus.ts'
import { createAuditChain } from './audit-chain.ts'
import { createBackup } from './backup.ts'
import { createFirstAdmin } from './first-admin.ts'
import { createFunction } from './functions.ts'
import { createAuditKey, createKey, createVaultKey } from './keys.ts'
import { acknowledgeIdentities, createMailer, mailSending } from './mail.ts'
import { createMailEvents } from './mail-events.ts'
import { createAlarmTopic } from './monitoring/alarm-topic.ts'
import { createAlarms } from './monitoring/alarms.ts'
import { createDashboard } from './monitoring/dashboard.ts'
import { addOutputs } from './outputs.ts'
import { buildPasskeyEnvironment } from './passkeys.ts'
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
  /** How long users may change credentials after they proved their identity, 900 seconds by default. */
  readonly recentAuthenticationSeconds?: number
  /** How long sessions last, such as `users=1209600/86400, administrators=86400/3600`, in seconds / idle seconds. */
  readonly sessionLifetimes?: string
  /** The domain that passkeys belong to: the host of `publicUrl` (the default) or a domain that it belongs to. */
  readonly passkeyRpId?: string
  /** The name of the service that browsers show with passkeys, `Latchkey` by default. */
  readonly passkeyRpName?: string
  /** More origins whose pages may use passkeys. They must be within `passkeyRpId`. */
  readonly passkeyOrigins?: readonly string[]
  /** Whether each passkey must verify its user, `required` by default. With `preferred`, others may follow a password. */
  readonly passkeyUserVerification?: 'required' | 'preferred'
  /** How long browsers wait for the user of a passkey, from 30 to 300 seconds. The default is 300. */
  readonly passkeyTimeoutSeconds?: number
  /** Changed rate limits, such as `otpGuesses=10/300` for 10 events in 300 seconds. */
  readonly rateLimits?: string
  /** The range API that reports breached passwords, Have I Been Pwned by default. Empty turns the lookup off. */
  readonly breachEndpoint?: string
  /** Whether users may sign in with their verified email address. The default is true. */
  readonly signInByEmail?: boolean
  /** Allows new usernames with letters of several scripts, such as Latin and Cyrillic. The default is false. */
  readonly allowMixedScripts?: boolean
  /** Makes browsers use HTTPS for all hosts below the host of the service, too. The default is false. */
  readonly hstsIncludeSubdomains?: boolean
  /** Permits browser vendors to list the host as HTTPS only. Requires `hstsIncludeSubdomains`. The default is false. */
  readonly hstsPreload?: boolean
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
  /** Whether AWS X-Ray records requests, false by default. */
  readonly tracing?: boolean
  /** Concurrent executions reserved for each function that hashes passwords. Without it they share those of the account. */
  readonly hashingConcurrency?: number
  /** Whether AWS Backup keeps daily and monthly copies of the table, false by default. */
  readonly backup?: boolean
  /** Whether the stack has a CloudWatch dashboard, true by default. */
  readonly dashboard?: boolean
  /** A folder that `node infra/bundle.ts` wrote; the functions are bundled during synthesis if omitted. */
  readonly bundleDir?: string | undefined
}

/** The functions behind the API: one for each group of operations, and one for all other requests. */
const folders: readonly (Group | 'unmatched')[] = [
  ...new Set<Group | 'unmatched'>([...operations.map(({ group }) => group), 'unmatched']),
]

/** Groups that send email directly, because the response reports the result. */
const sendsMail: readonly (Group | 'unmatched')[] = ['access-tokens']

type Functions = Readonly<Record<Group | 'unmatched', LambdaFunction>>

const assertWebPage = (text: string): void => {
  if (!Token.isUnresolved(text) && URL.parse(text)?.protocol !== 'https:')
    throw new Error(`signInUrl "${text}" must be an https URL.`)
}

const assertOrigin = (text: string): void => {
  if (Token.isUnresolved(text)) return
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || url.origin !== text)
    throw new Error(
      `"${text}" must be an https origin without a trailing slash, such as https://auth.example.com.`,
    )
}

/**
 * The authentication service: an HTTP API, a function for each group of operations, and the table. You can add it to
 * your own stack. Each function already has the permissions that it needs.
 */
export class AuthService extends Construct {
  /** The origin of the service, without a trailing slash. */
  readonly url: string
  readonly httpApi: HttpApi
  readonly table: Table
  /** Encrypts the table and the secret. */
  readonly key: Key
  /** Encrypts secrets inside the table. Without it, users with a second factor cannot sign in. */
  readonly vaultKey: Key
  /** Signs checkpoints of the audit log. */
  readonly auditKey: Key
  /** Receives every audit event, for your own rules. */
  readonly auditBus: EventBus
  /** Contains the initial password of the user `admin`. */
  readonly adminPassword: Secret
  /** The functions, by the name of their folder. */
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
    if (props.hstsPreload && !props.hstsIncludeSubdomains)
      throw new Error('hstsPreload requires hstsIncludeSubdomains.')
    const rateLimits = readRateLimits(props.rateLimits ?? '')
    if (typeof rateLimits === 'string') throw new Error(`rateLimits ${rateLimits}`)

    const { recentAuthenticationSeconds } = props
    if (recentAuthenticationSeconds !== undefined && !isRecentAuthentication(recentAuthenticationSeconds))
      throw new Error(`recentAuthenticationSeconds ${recentAuthenticationRule}.`)
    const sessionLifetimes = readSessionLifetimes(props.sessionLifetimes ?? '')
    if (typeof sessionLifetimes === 'string') throw new Error(`sessionLifetimes ${sessionLifetimes}`)

    this.key = createKey(this, removalPolicy)
    this.vaultKey = createVaultKey(this, removalPolicy)
    this.auditKey = createAuditKey(this, removalPolicy)
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
      SIGN_IN_BY_EMAIL: String(props.signInByEmail ?? true),
      ALLOW_MIXED_SCRIPTS: String(props.allowMixedScripts ?? false),
      HSTS_INCLUDE_SUBDOMAINS: String(props.hstsIncludeSubdomains ?? false),
      SESSION_LIFETIMES: props.sessionLifetimes ?? '',
      HSTS_PRELOAD: String(props.hstsPreload ?? false),
      ...(recentAuthenticationSeconds === undefined
        ? {}
        : { RECENT_AUTHENTICATION_SECONDS: String(recentAuthenticationSeconds) }),
      ...buildPasskeyEnvironment(props, this.url),
      ...(props.breachEndpoint === undefined ? {} : { BREACH_ENDPOINT: props.breachEndpoint }),
    }
    const common = {
      table: this.table,
      vaultKey: this.vaultKey,
      environment,
      logRetention,
      bundleDir: props.bundleDir,
      tracing: props.tracing ?? false,
      hashingConcurrency: props.hashingConcurrency,
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
    for (const name of sendsMail) acknowledgeIdentities(this.functions[name])
    addRoutes(this.httpApi, this.functions)
    const domainTarget = addStage(this.httpApi, { domain, throttle, logRetention })
    this.adminPassword = createFirstAdmin(this, { ...common, key: this.key, removalPolicy })

    const { mailer, failedJobs } = createMailer(this, { ...common, key: this.key, sending })
    const { bus, deadLetters } = createAuditBus(this, this.table, this.key)
    this.auditBus = bus
    const samlRefresh = createSamlRefresh(this, common)
    const auditChain = createAuditChain(this, { ...common, auditKey: this.auditKey })

    const watched = {
      httpApi: this.httpApi,
      functions: {
        ...this.functions,
        mailer,
        'mail-events': mailEvents.target,
        'saml-refresh': samlRefresh,
        'audit-chain': auditChain,
      },
      streamReaders: { mailer },
      table: this.table,
      deadLetters: {
        'emails that could not be sent': failedJobs,
        'audit events that were not forwarded': deadLetters,
        'bounces and complaints that were not recorded': mailEvents.deadLetters,
      },
    }
    const topic = props.alarmTopic ?? (props.alarmEmail && createAlarmTopic(this, this.key, props.alarmEmail))
    createAlarms(this, watched, topic || undefined)
    if (props.dashboard ?? true) createDashboard(this, watched)
    if (props.backup) createBackup(this, this.table, { key: this.key, removalPolicy })
    addOutputs(this, this, domainTarget)
  }
}
