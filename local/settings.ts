import { resolve } from 'node:path'
import { readConfig } from '../lib/settings/config.ts'
import { readMailSender } from '../lib/settings/mail-sender.ts'
import { withAws } from './aws-environment.ts'
import type { KeyPaths } from './key-path.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The settings of local mode. */
export interface Settings {
  readonly port: number
  /** The port above `port`. */
  readonly mailPort: number
  /** An absolute path, or `:memory:`. */
  readonly dataDir: string
  /** The password for the first start; undefined generates one. */
  readonly adminPassword: string | undefined
  readonly publicUrl: string
  readonly allowedOrigins: readonly string[]
  /** The endpoint of an external DynamoDB. */
  readonly dynamodbEndpoint: string | undefined
}

/** The name of the table in local mode. */
export const tableName = 'latchkey'

const highestPort = 65_534
const passwordLength = { min: 12, max: 1024 }

const readPort = (text: string): number => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port < 1 || port > highestPort) {
    throw new Error(`PORT must be a number from 1 to ${highestPort}; the port above it is used for email.`)
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

/** Reads the settings. Throws an `Error` whose one sentence names the invalid setting and the valid values. */
export const readSettings = (env: Environment): Settings => {
  const { PORT, DATA_DIR, ADMIN_PASSWORD, PUBLIC_URL, DYNAMODB_ENDPOINT, MAIL_FROM } = env
  const { ALLOW_PRIVATE_METADATA } = env
  const port = readPort(PORT || '3000')
  const adminPassword = readAdminPassword(ADMIN_PASSWORD)
  if (ALLOW_PRIVATE_METADATA && !['true', 'false'].includes(ALLOW_PRIVATE_METADATA))
    throw new Error('ALLOW_PRIVATE_METADATA must be true or false.')
  if (MAIL_FROM && !readMailSender(MAIL_FROM))
    throw new Error('MAIL_FROM must be an address or Name <address>.')
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

/** Creates the environment of the functions: the user's environment with the settings of local mode. */
export const functionEnvironment = (
  env: Environment,
  settings: Settings,
  dynamodbEndpoint: string,
  { vaultKey, auditKey }: KeyPaths,
): NodeJS.ProcessEnv => {
  const mailEndpoint = `http://127.0.0.1:${settings.mailPort}`
  // No handler needs the initial password. The KMS keys are only for AWS: local mode has key files next to the
  // data.
  const {
    LOG_LEVEL,
    MAIL_FROM,
    API_REFERENCE,
    ADMIN_PASSWORD,
    KMS_KEY_ID,
    KMS_OTHER_KEY_ID,
    AUDIT_KEY_ID,
    ...others
  } = env
  return {
    ...withAws(others, !settings.dynamodbEndpoint),
    TABLE_NAME: tableName,
    PUBLIC_URL: settings.publicUrl,
    DYNAMODB_ENDPOINT: dynamodbEndpoint,
    LOCAL_KEY_FILE: vaultKey,
    LOCAL_AUDIT_KEY_FILE: auditKey,
    MAIL_FROM: MAIL_FROM || 'Latchkey <no-reply@localhost>',
    AWS_ENDPOINT_URL_SES: mailEndpoint,
    AWS_ENDPOINT_URL_SESV2: mailEndpoint,
    VALIDATE_RESPONSES: 'true',
    LOG_LEVEL: LOG_LEVEL || 'warn',
    API_REFERENCE: API_REFERENCE || 'try',
    // Local mode has no front door.
    ORIGIN_SECRETS: '',
    ALLOW_DIRECT_REQUESTS: 'false',
  }
}
