import type { BlockList } from 'node:net'
import { passwordMaxCost } from '../limits/password-limits.ts'
import { type RateLimits, readRateLimits } from '../limits/rate-limits.ts'
import { type ApiReferenceMode, apiReferenceModes } from './api-reference.ts'
import { readJwtAudiences } from './jwt-audiences.ts'
import { type LinkProduct, readLinkProducts } from './link-products.ts'
import { readOriginSecrets } from './origin-secrets.ts'
import { type PasskeySettings, readPasskeySettings } from './passkey-settings.ts'
import { readSessionLifetimes, type SessionLifetimes } from './session-lifetimes.ts'
import { readTrustedProxies } from './trusted-proxies.ts'

/** The configuration of a function, read from the environment once per process. */
export interface Config {
  readonly tableName: string
  /** The origin of the service, without a trailing slash. Links are built from it, never from a request. */
  readonly publicUrl: string
  /** Origins of products that users may be redirected to, besides `publicUrl`. */
  readonly allowedOrigins: readonly string[]
  /** The products that access links lead to. The first one is for links that name none. */
  readonly linkProducts: readonly LinkProduct[]
  /** The sign-in page: the built-in one, or a page of the product. */
  readonly signInUrl: string
  /** bcrypt cost of new password hashes. Hashes with a lower cost are renewed at sign-in. */
  readonly passwordCost: number
  /** How long a proof of identity in a session allows changes of credentials. */
  readonly recentAuthenticationMs: number
  /** Whether users may sign in with their verified email address instead of their username. */
  readonly signInByEmail: boolean
  /** Audiences that JWTs may be for, besides `publicUrl`. */
  readonly jwtAudiences: readonly string[]
  /** How long sessions last. */
  readonly sessionLifetimes: SessionLifetimes
  /** The rate limits, with their configured values. */
  readonly rateLimits: RateLimits
  readonly passkeys: PasskeySettings
  /** Whether responses are validated against their declared schema. Enabled in tests and local mode. */
  readonly validateResponses: boolean
  readonly logLevel: LogLevel
  readonly dynamodbEndpoint: string | undefined
  /** Whether the endpoint is the embedded engine of local mode, which checks no signatures. */
  readonly hasEmbeddedEngine: boolean
  /** The URL prefix of the breached-password lookup, with a trailing slash. Undefined disables the lookup. */
  readonly breachEndpoint: string | undefined
  /** The sender of emails, an address or `Name <address>`. Undefined means that no email is sent. */
  readonly mailFrom: string | undefined
  /** The SES configuration set that reports bounces and complaints. */
  readonly mailConfigurationSet: string | undefined
  readonly sesEndpoint: string | undefined
  /** The ID or ARN of the KMS key that encrypts secrets in the table. */
  readonly kmsKeyId: string | undefined
  /** Another KMS key that secrets in the table may be encrypted with, while they move from one key to the other. */
  readonly kmsOtherKeyId: string | undefined
  /** The key file that replaces KMS in local mode. */
  readonly localKeyFile: string | undefined
  /** The ID or ARN of the KMS key that signs checkpoints of the audit log. */
  readonly auditKeyId: string | undefined
  /** The key file that replaces it in local mode. */
  readonly auditKeyFile: string | undefined
  /** Whether SAML metadata may come from loopback addresses. Only effective if `publicUrl` is plain http. */
  readonly allowPrivateMetadata: boolean
  /** Whether browsers must use HTTPS for all hosts below the host of `publicUrl` too (RFC 6797 section 6.1.2). */
  readonly hstsIncludeSubdomains: boolean
  /** Whether browser vendors may list the host as one that only uses HTTPS. */
  readonly hstsPreload: boolean
  /** Whether new usernames may have letters of scripts that no writing system uses together. */
  readonly allowMixedScripts: boolean
  /** Whether new usernames may look like those of other users. */
  readonly allowLookalikeUsernames: boolean
  /** Whether the API reference is shown, and whether its readers can send calls from it. */
  readonly apiReference: ApiReferenceMode
  /** Proxies whose entries in `X-Forwarded-For` count. Undefined if there are none. */
  readonly trustedProxies: BlockList | undefined
  /** The secrets of which the front door sends one. Empty if there is no front door. */
  readonly originSecrets: readonly string[]
  /** Whether requests without a secret are accepted beside the front door, while DNS names move to it. */
  readonly allowDirectRequests: boolean
}

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the configuration from environment variables.
 *
 * @throws Error that lists every missing or invalid variable, because a partly configured service must not start.
 */
export const readConfig = (environment: Environment): Config => {
  const problems: string[] = []
  const config = readVariables(environment, problems)
  if (!config || problems.length > 0) throw new Error(`Latchkey can't start: ${problems.join('; ')}.`)
  return config
}

/** Lists the problems for which `readConfig` would throw, such as `BREACH_ENDPOINT must be an http(s) URL`. */
export const findConfigProblems = (environment: Environment): readonly string[] => {
  const problems: string[] = []
  readVariables(environment, problems)
  return problems
}

/** Adds a text about each missing or invalid variable to `problems`. The result is only valid if there is none. */
const readVariables = (environment: Environment, problems: string[]): Config | undefined => {
  const report = (text: string) => {
    problems.push(text)
    return ''
  }
  const tableName = environment['TABLE_NAME'] || report('TABLE_NAME is missing')
  const publicUrl =
    readOrigin(environment['PUBLIC_URL'] ?? '') ?? report('PUBLIC_URL must be an http(s) origin')
  const passwordCost = Number(environment['PASSWORD_COST'] || 12)
  if (!Number.isInteger(passwordCost) || passwordCost < 4 || passwordCost > passwordMaxCost)
    report(`PASSWORD_COST must be an integer from 4 to ${passwordMaxCost}`)
  const recentAuthenticationSeconds = Number(
    environment['RECENT_AUTHENTICATION_SECONDS'] || defaultRecentAuthenticationSeconds,
  )
  if (!isRecentAuthentication(recentAuthenticationSeconds))
    report('RECENT_AUTHENTICATION_SECONDS must be an integer from 60 to 86400')
  const logLevel = logLevels.find((level) => level === (environment['LOG_LEVEL'] || 'info'))
  if (!logLevel) report(`LOG_LEVEL must be one of ${logLevels.join(', ')}`)
  const allowedOrigins = (environment['ALLOWED_ORIGINS'] || '')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => readOrigin(text) ?? report('ALLOWED_ORIGINS must contain only http(s) origins'))
  const breachEndpoint = readEndpoint(environment['BREACH_ENDPOINT'] ?? defaultBreachEndpoint)
  if (breachEndpoint === undefined) report('BREACH_ENDPOINT must be an http(s) URL')
  const apiReference = apiReferenceModes.find((mode) => mode === (environment['API_REFERENCE'] || 'read'))
  if (!apiReference) report(`API_REFERENCE must be one of ${apiReferenceModes.join(', ')}`)
  const rateLimits = readRateLimits(environment['RATE_LIMITS'] ?? '')
  if (typeof rateLimits === 'string') report(`RATE_LIMITS ${rateLimits}`)
  const sessionLifetimes = readSessionLifetimes(environment['SESSION_LIFETIMES'] ?? '')
  if (typeof sessionLifetimes === 'string') report(`SESSION_LIFETIMES ${sessionLifetimes}`)
  const trustedProxies = readTrustedProxies(environment['TRUSTED_PROXIES'] ?? '')
  if (typeof trustedProxies === 'string') report(`TRUSTED_PROXIES ${trustedProxies}`)
  const originSecrets = readOriginSecrets(environment['ORIGIN_SECRETS'] ?? '')
  if (typeof originSecrets === 'string') report(`ORIGIN_SECRETS ${originSecrets}`)
  const jwtAudiences = readJwtAudiences(environment['JWT_AUDIENCES'] ?? '')
  if (typeof jwtAudiences === 'string') report(`JWT_AUDIENCES ${jwtAudiences}`)
  const linkProducts = readLinkProducts(environment['LINK_URL'] ?? '', allowedOrigins)
  if (typeof linkProducts === 'string') report(`LINK_URL ${linkProducts}`)
  const passkeys = readPasskeySettings(environment, publicUrl, { report, readOrigin })
  const signInUrl = readWebUrl(environment['SIGN_IN_URL'] || `${publicUrl}/`)
  if (!signInUrl && publicUrl) report('SIGN_IN_URL must be an http(s) URL')
  const readFlag = (name: string, defaultValue: 'true' | 'false' = 'false'): boolean => {
    const text = environment[name] || defaultValue
    if (text !== 'true' && text !== 'false') report(`${name} must be true or false`)
    return text === 'true'
  }
  const signInByEmail = readFlag('SIGN_IN_BY_EMAIL', 'true')
  const hstsIncludeSubdomains = readFlag('HSTS_INCLUDE_SUBDOMAINS')
  const hstsPreload = readFlag('HSTS_PRELOAD')
  const allowMixedScripts = readFlag('ALLOW_MIXED_SCRIPTS')
  const allowLookalikeUsernames = readFlag('ALLOW_LOOKALIKE_USERNAMES')
  const allowDirectRequests = readFlag('ALLOW_DIRECT_REQUESTS')
  if (hstsPreload && !hstsIncludeSubdomains) report('HSTS_PRELOAD requires HSTS_INCLUDE_SUBDOMAINS')
  if (typeof rateLimits === 'string' || typeof sessionLifetimes === 'string') return undefined
  if (typeof jwtAudiences === 'string' || typeof linkProducts === 'string') return undefined
  if (typeof trustedProxies === 'string' || typeof originSecrets === 'string') return undefined
  return {
    tableName,
    publicUrl,
    allowedOrigins,
    linkProducts,
    signInUrl: signInUrl ?? '',
    passwordCost,
    recentAuthenticationMs: recentAuthenticationSeconds * 1000,
    jwtAudiences,
    sessionLifetimes,
    rateLimits,
    passkeys,
    validateResponses: environment['VALIDATE_RESPONSES'] === 'true',
    logLevel: logLevel ?? 'info',
    dynamodbEndpoint: environment['DYNAMODB_ENDPOINT'] || undefined,
    hasEmbeddedEngine:
      Boolean(environment['DYNAMODB_ENDPOINT']) && environment['AWS_ACCESS_KEY_ID'] === 'local',
    breachEndpoint: breachEndpoint || undefined,
    mailFrom: environment['MAIL_FROM'] || undefined,
    mailConfigurationSet: environment['MAIL_CONFIGURATION_SET'] || undefined,
    sesEndpoint: environment['AWS_ENDPOINT_URL_SES'] || undefined,
    kmsKeyId: environment['KMS_KEY_ID'] || undefined,
    kmsOtherKeyId: environment['KMS_OTHER_KEY_ID'] || undefined,
    localKeyFile: environment['LOCAL_KEY_FILE'] || undefined,
    auditKeyId: environment['AUDIT_KEY_ID'] || undefined,
    auditKeyFile: environment['LOCAL_AUDIT_KEY_FILE'] || undefined,
    allowPrivateMetadata: environment['ALLOW_PRIVATE_METADATA'] === 'true' && publicUrl.startsWith('http:'),
    signInByEmail,
    hstsIncludeSubdomains,
    hstsPreload,
    allowMixedScripts,
    allowLookalikeUsernames,
    apiReference: apiReference ?? 'read',
    trustedProxies,
    originSecrets,
    allowDirectRequests,
  }
}

export const defaultRecentAuthenticationSeconds = 15 * 60

/** Whether a duration is short enough to stop a thief, and long enough to complete a change. */
const isRecentAuthentication = (seconds: number): boolean =>
  Number.isInteger(seconds) && seconds >= 60 && seconds <= 86_400

const defaultBreachEndpoint = 'https://api.pwnedpasswords.com/range/'

/** The URL with a trailing slash. An empty text stays empty. Undefined if a path cannot be appended to it. */
const readEndpoint = (text: string): string | undefined => {
  if (text === '') return text
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password)
    return undefined
  return url.href.replace(/\/?$/, '/')
}

const readWebUrl = (text: string): string | undefined =>
  /^https?:$/.test(URL.parse(text)?.protocol ?? '') ? text : undefined

const readOrigin = (text: string): string | undefined => {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  return url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password
    ? url.origin
    : undefined
}
