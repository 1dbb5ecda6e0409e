import { relative, resolve } from 'node:path'
import { readConfig } from '../../lib/core/config.ts'
import { localAws } from './dynamodb.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** How the service runs on this machine. */
export interface Settings {
  readonly port: number
  /** The one above. */
  readonly mailPort: number
  /** An absolute path, or `:memory:`. */
  readonly dataDir: string
  /** For the first start; undefined when one is to be made. */
  readonly adminPassword: string | undefined
  readonly publicUrl: string
  readonly allowedOrigins: readonly string[]
  /** A DynamoDB that is served elsewhere. */
  readonly dynamodbEndpoint: string | undefined
}

/** The name of the table in local mode. */
export const tableName = 'latchkey'

const highestPort = 65_534
const passwordLength = { min: 12, max: 1024 }

const readPort = (text: string): number => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port < 1 || port > highestPort) {
    throw new Error(`PORT must be a number from 1 to ${highestPort}; the port above it is for mail.`)
  }
  return port
}

const readAdminPassword = (text: string | undefined): string | undefined => {
  if (!text) return undefined
  const { length } = [...text]
  if (length < passwordLength.min || length > passwordLength.max) {
    throw new Error(`ADMIN_PASSWORD must have ${passwordLength.min} to ${passwordLength.max} characters.`)
  }
  return text
}

/** Reads the settings, or throws an `Error` whose one sentence names the bad one and what it must be. */
export const readSettings = (env: Environment): Settings => {
  const { PORT, DATA_DIR, ADMIN_PASSWORD, PUBLIC_URL, DYNAMODB_ENDPOINT } = env
  const port = readPort(PORT || '3000')
  const adminPassword = readAdminPassword(ADMIN_PASSWORD)
  const { publicUrl, allowedOrigins } = readConfig({
    ...env,
    PUBLIC_URL: PUBLIC_URL || `http://127.0.0.1:${port}`,
    TABLE_NAME: tableName,
  })
  return {
    port,
    mailPort: port + 1,
    dataDir: DATA_DIR === ':memory:' ? DATA_DIR : resolve(DATA_DIR || '.local'),
    adminPassword,
    publicUrl,
    allowedOrigins,
    dynamodbEndpoint: DYNAMODB_ENDPOINT || undefined,
  }
}

/** What names real credentials of the user; an engine of ours must not make the SDK look for them. */
const credentialNames = ['AWS_PROFILE', 'AWS_SESSION_TOKEN', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']

/** The environment that the functions run in: the user's own, with what local mode decides. */
export const functionEnvironment = (
  env: Environment,
  settings: Settings,
  dynamodbEndpoint: string,
): Record<string, string | undefined> => {
  const mailEndpoint = `http://127.0.0.1:${settings.mailPort}`
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !credentialNames.includes(name)))
  const hasOwnCredentials = env['AWS_ACCESS_KEY_ID'] || env['AWS_PROFILE']
  const base = !settings.dynamodbEndpoint
    ? { ...own, ...localAws }
    : hasOwnCredentials
      ? { AWS_REGION: localAws.AWS_REGION, ...env }
      : { ...localAws, ...env }
  return {
    LOG_LEVEL: 'warn',
    ...base,
    TABLE_NAME: tableName,
    PUBLIC_URL: settings.publicUrl,
    DYNAMODB_ENDPOINT: dynamodbEndpoint,
    AWS_ENDPOINT_URL_SES: mailEndpoint,
    AWS_ENDPOINT_URL_SESV2: mailEndpoint,
    VALIDATE_RESPONSES: 'true',
  }
}
