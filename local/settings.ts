import { resolve } from 'node:path'
import { findNearestName } from '../lib/kernel/options/nearest-name.ts'
import { readConfig } from '../lib/kernel/settings/config.ts'
import { internalSettings } from '../lib/kernel/settings/internal-settings.ts'
import { localSettings } from '../lib/kernel/settings/local-settings.ts'
import { serviceSettings } from '../lib/kernel/settings/service-settings.ts'
import {
  type AnySetting,
  readTable,
  settingsOn,
  toVariable,
  variableOf,
} from '../lib/kernel/settings/setting.ts'
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
  /** The configuration file, or `none`. Undefined for the one in this folder. */
  readonly configFile: string | undefined
  readonly configOutputs: string | undefined
  readonly publicUrl: string
  /** The endpoint of an external DynamoDB. */
  readonly dynamodbEndpoint: string | undefined
}

/** The name of the table in local mode. */
export const tableName = 'latchkey'

const variablesOf = (table: Readonly<Record<string, AnySetting>>): readonly string[] =>
  Object.entries(table).map(([name, setting]) => variableOf(name, setting))

/** The environment variables that configure local mode. */
export const localVariables = variablesOf({ ...localSettings, ...settingsOn(serviceSettings, 'local') })

/** Variables of functions that local mode sets itself. Values from outside have no effect on the service. */
const reservedVariables = variablesOf({ ...serviceSettings, ...internalSettings }).filter(
  (name) => !localVariables.includes(name),
)

/** Variables with this prefix look like settings, but none has it. */
const prefix = 'LATCHKEY_'
/** A variable of `latchkey verify`. */
const variablesOfCommands = ['LATCHKEY_TOKEN']

/**
 * Describes the variables that were probably meant as a setting, one sentence each. Others belong to other programs, so names
 * must be similar: at most every fourth character differs.
 */
export const findMisspeltVariables = (names: readonly string[]): readonly string[] =>
  names
    .filter((name) => ![...localVariables, ...reservedVariables, ...variablesOfCommands].includes(name))
    .flatMap((name) => {
      const hasPrefix = name.startsWith(prefix)
      const nearest = findNearestName(hasPrefix ? name.slice(prefix.length) : name, localVariables, 1 / 4)
      if (nearest === undefined && !hasPrefix) return []
      return `${name} is not a setting. ${nearest ? `Did you mean ${nearest}?` : 'latchkey start --help lists all settings.'}`
    })

/** Reads the settings. Throws an `Error` whose one sentence names the invalid settings and the valid values. */
export const readSettings = (env: Environment): Settings => {
  const problems: string[] = []
  const { port, dataDir, adminPassword, configFile, configOutputs } = readTable(
    localSettings,
    (name, setting) => env[variableOf(name, setting)],
    (name, setting, problem) => problems.push(`${variableOf(name, setting)} ${problem}`),
  )
  if (problems.length > 0) throw new Error(`${problems.join('; ')}.`)
  const { publicUrl, dynamodbEndpoint, legacyPasswordCheck } = readConfig({
    ...withoutReserved(env),
    PUBLIC_URL: env['PUBLIC_URL'] || `http://localhost:${port}`,
    TABLE_NAME: tableName,
  })
  if (legacyPasswordCheck?.target.kind === 'function')
    throw new Error(
      'LEGACY_PASSWORD_CHECK must be a URL such as http://127.0.0.1:4000/check. Local mode calls no Lambda function.',
    )
  return {
    port,
    mailPort: port + 1,
    dataDir: dataDir === ':memory:' ? dataDir : resolve(dataDir),
    adminPassword,
    configFile,
    configOutputs,
    publicUrl,
    dynamodbEndpoint,
  }
}

const withoutReserved = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !reservedVariables.includes(name)))

/** The variables that have another default in local mode, and that the environment does not set. */
const fillDefaults = (env: Environment): Environment =>
  Object.fromEntries(
    Object.entries<AnySetting>(serviceSettings)
      .filter(([name, setting]) => setting.localDefault !== undefined && !env[variableOf(name, setting)])
      .map(([name, setting]) => [variableOf(name, setting), toVariable(setting.localDefault)]),
  )

/** Creates the environment of the functions: the user's environment with the settings of local mode. */
export const functionEnvironment = (
  env: Environment,
  settings: Settings,
  dynamodbEndpoint: string,
  { vaultKey, auditKey }: KeyPaths,
): NodeJS.ProcessEnv => {
  const mailEndpoint = `http://127.0.0.1:${settings.mailPort}`
  // No handler needs the initial password.
  const { ADMIN_PASSWORD, ...others } = withoutReserved(env)
  return {
    ...withAws(others, { isOwnEngine: !settings.dynamodbEndpoint }),
    ...fillDefaults(env),
    TABLE_NAME: tableName,
    PUBLIC_URL: settings.publicUrl,
    DYNAMODB_ENDPOINT: dynamodbEndpoint,
    LOCAL_KEY_FILE: vaultKey,
    LOCAL_AUDIT_KEY_FILE: auditKey,
    AWS_ENDPOINT_URL_SES: mailEndpoint,
    AWS_ENDPOINT_URL_SESV2: mailEndpoint,
    VALIDATE_RESPONSES: 'true',
  }
}
