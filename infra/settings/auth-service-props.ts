import type { RemovalPolicy } from 'aws-cdk-lib'
import type { RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import type { ApiReferenceMode } from '../../lib/settings/api-reference.ts'
import type { FrontDoorProps } from '../front-door/front-door-props.ts'
import type { AdoptedTable } from '../parts/adoption.ts'

export interface DomainProps {
  readonly name: string
  /** An ACM certificate in the region of the stack. Created and renewed if omitted, which requires `hostedZone`. */
  readonly certificateArn?: string
  /** The Route 53 zone of the name, for its records. Without it, point the name at the output `DomainTarget`. */
  readonly hostedZone?: { readonly id: string; readonly name: string }
}

/** The options of the construct `AuthService`. All are optional. */
export interface AuthServiceProps {
  /** The https origin of the service. The default is the domain, else the URL of the API. */
  readonly publicUrl?: string
  /** The origins of products. Their pages may call the service, and users may be redirected to them. */
  readonly allowedOrigins?: readonly string[]
  /** The https address of the sign-in page of the product, if it has one. */
  readonly signInUrl?: string
  /** The domain of the service: `name`, with `certificateArn`, or `hostedZone` (`id` and `name`), or both. */
  readonly domain?: DomainProps
  /** CloudFront before the API, which then answers no other requests. Requires `domain`. */
  readonly frontDoor?: FrontDoorProps
  /** What happens to the table, its key and the secret of the admin with the stack. The default is `RETAIN`. */
  readonly removalPolicy?: RemovalPolicy
  /** The sender of emails, as an address or `Name <address>`. SES must have verified it. Without it, no email is sent. */
  readonly mailFrom?: string
  /** How long users may change credentials after they proved their identity, 900 seconds by default. */
  readonly recentAuthenticationSeconds?: number
  /** How long sessions last, such as `users=1209600/86400, administrators=86400/3600`, in seconds / idle seconds. */
  readonly sessionLifetimes?: string
  /** The page of your product that access links lead to, or several as `name=URL`, separated by commas. */
  readonly linkUrl?: string
  /** Audiences that JWTs may be for, besides `publicUrl`: URLs or names of your servers. */
  readonly jwtAudiences?: readonly string[]
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
  /** Addresses and CIDR ranges of your proxies before the service. Their `X-Forwarded-For` names the address of users. */
  readonly trustedProxies?: readonly string[]
  /** The range API that reports breached passwords, Have I Been Pwned by default. Empty turns the lookup off. */
  readonly breachEndpoint?: string
  /** Whether users may sign in with their verified email address. The default is true. */
  readonly signInByEmail?: boolean
  /** Allows new usernames with letters of several scripts, such as Latin and Cyrillic. The default is false. */
  readonly allowMixedScripts?: boolean
  /** Allows new usernames that look like those of other users, such as `rnaria` next to `maria`. The default is false. */
  readonly allowLookalikeUsernames?: boolean
  /** The API reference at `/docs`: `read` (the default) shows it, `try` also sends calls from it, `off` hides it. */
  readonly apiReference?: ApiReferenceMode
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
  /** A restored or retained table with a stream, instead of a new one: its name, stream ARN, and key ARN. */
  readonly table?: AdoptedTable
  /** The ARN of the KMS key that encrypted the secrets inside an adopted table, instead of a new key. */
  readonly vaultKeyArn?: string
  /** The ARN of another vault key that only decrypts, while secrets move from one key to another. */
  readonly otherVaultKeyArn?: string
  /** The ARN of the KMS key that signed the audit checkpoints of an adopted table, instead of a new key. */
  readonly auditKeyArn?: string
  /** A folder that `node build/bundle/bundle.ts` wrote; the functions are bundled during synthesis if omitted. */
  readonly bundleDir?: string | undefined
}
