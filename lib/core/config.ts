import { type RateLimits, readRateLimits } from './rate-limits.ts'

/** What the surroundings decide, read once per process. */
export interface Config {
  readonly tableName: string
  /** Where clients reach the service, without a slash at the end; every link is built from it, never from a request. */
  readonly publicUrl: string
  /** Origins of the products that may be redirected to, besides our own. */
  readonly allowedOrigins: readonly string[]
  /** Where a person signs in: the product's own page when it has one. */
  readonly signInUrl: string
  /** bcrypt's cost for new hashes; hashes below it are renewed at sign-in. */
  readonly passwordCost: number
  /** How often something may happen. */
  readonly rateLimits: RateLimits
  /** Whether answers are held against their declared schema: on outside production. */
  readonly validateResponses: boolean
  readonly logLevel: LogLevel
  readonly dynamodbEndpoint: string | undefined
  /** Where passwords are looked up among breached ones, ending in a slash; undefined for nowhere. */
  readonly breachEndpoint: string | undefined
  /** The sender of our mails, an address or `Name <address>`; undefined where no mail is sent. */
  readonly mailFrom: string | undefined
  /** SES's configuration set, where bounces and complaints are told. */
  readonly mailConfigurationSet: string | undefined
  readonly sesEndpoint: string | undefined
  /** The key of AWS KMS that encrypts what has to be read again, by id or ARN. */
  readonly kmsKeyId: string | undefined
  /** The file with a key of our own, for where there is no KMS. */
  readonly localKeyFile: string | undefined
  /** Whether metadata may be fetched from this machine: for trying things out, and on plain http alone. */
  readonly allowPrivateMetadata: boolean
}

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the configuration.
 *
 * @throws Error naming every variable that is missing or unusable, since a half-configured service must not start.
 */
export const readConfig = (environment: Environment): Config => {
  const faults: string[] = []
  const fault = (text: string) => {
    faults.push(text)
    return ''
  }
  const tableName = environment['TABLE_NAME'] || fault('TABLE_NAME is missing')
  const publicUrl = originOf(environment['PUBLIC_URL'] ?? '') ?? fault('PUBLIC_URL is not an http(s) origin')
  const passwordCost = Number(environment['PASSWORD_COST'] || 12)
  if (!Number.isInteger(passwordCost) || passwordCost < 4 || passwordCost > 16)
    fault('PASSWORD_COST is not a whole number from 4 to 16')
  const logLevel = logLevels.find((level) => level === (environment['LOG_LEVEL'] || 'info'))
  if (!logLevel) fault(`LOG_LEVEL is none of ${logLevels.join(', ')}`)
  const allowedOrigins = (environment['ALLOWED_ORIGINS'] || '')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => originOf(text) ?? fault('ALLOWED_ORIGINS holds something that is not an http(s) origin'))
  const breachEndpoint = endpointOf(environment['BREACH_ENDPOINT'] ?? pwnedPasswords)
  if (breachEndpoint === undefined) fault('BREACH_ENDPOINT is not an http(s) URL')
  const rateLimits = readRateLimits(environment['RATE_LIMITS'] ?? '')
  if (typeof rateLimits === 'string') fault(`RATE_LIMITS ${rateLimits}`)
  const signInUrl = webUrlOf(environment['SIGN_IN_URL'] || `${publicUrl}/`)
  if (!signInUrl && publicUrl) fault('SIGN_IN_URL is not an http(s) URL')
  if (faults.length > 0 || typeof rateLimits === 'string')
    throw new Error(`Latchkey can't start: ${faults.join('; ')}.`)
  return {
    tableName,
    publicUrl,
    allowedOrigins,
    signInUrl: signInUrl ?? '',
    passwordCost,
    rateLimits,
    validateResponses: environment['VALIDATE_RESPONSES'] === 'true',
    logLevel: logLevel ?? 'info',
    dynamodbEndpoint: environment['DYNAMODB_ENDPOINT'] || undefined,
    breachEndpoint: breachEndpoint || undefined,
    mailFrom: environment['MAIL_FROM'] || undefined,
    mailConfigurationSet: environment['MAIL_CONFIGURATION_SET'] || undefined,
    sesEndpoint: environment['AWS_ENDPOINT_URL_SES'] || undefined,
    kmsKeyId: environment['KMS_KEY_ID'] || undefined,
    localKeyFile: environment['LOCAL_KEY_FILE'] || undefined,
    allowPrivateMetadata: environment['ALLOW_PRIVATE_METADATA'] === 'true' && publicUrl.startsWith('http:'),
  }
}

const pwnedPasswords = 'https://api.pwnedpasswords.com/range/'

/** The URL with a slash at its end; an empty text stays one; undefined for what is no URL to add a path to. */
const endpointOf = (text: string): string | undefined => {
  if (text === '') return text
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password)
    return undefined
  return url.href.replace(/\/?$/, '/')
}

const webUrlOf = (text: string): string | undefined =>
  /^https?:$/.test(URL.parse(text)?.protocol ?? '') ? text : undefined

const originOf = (text: string): string | undefined => {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  return url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password
    ? url.origin
    : undefined
}
