import { readHooks } from './hooks.ts'
import { flag, text, whole } from './schemas.ts'
import { orProblem, Problem, setting } from './setting.ts'

/*
 * What functions read from their environment, and only the stack and local mode set. See `service-settings.ts`
 * for the settings.
 */

/** The header with which the front door proves that a request came through it. */
export const originSecretHeader = 'Latchkey-Origin-Secret'

/** Two, so that a new secret is accepted before the front door sends it, and the old one until it no longer does. */
const maxSecrets = 2

const readOriginSecrets = (given: string): readonly string[] | string => {
  if (given === '') return []
  const secrets = given.split(',')
  return secrets.length <= maxSecrets && secrets.every((secret) => /^[\w-]{32,256}$/.test(secret))
    ? secrets
    : `must contain at most ${maxSecrets} values of 32 to 256 letters, digits, hyphens and underscores`
}

export const internalSettings = {
  /** The table of the service. */
  tableName: setting({
    schema: text,
    default: '',
    on: ['parts'],
    read: (given) => given || new Problem('is missing'),
  }),

  /** See `ClientOptions` of the table. Tests wait longer, because they share a busy machine. */
  tableTimeoutMs: setting({ schema: whole(1), on: [] }),

  /** The secrets of which the front door sends one. Empty if there is no front door. */
  originSecrets: setting({
    schema: text,
    default: '',
    on: ['parts'],
    read: orProblem(readOriginSecrets),
  }),

  /** Whether requests past the front door are accepted. */
  allowDirectRequests: setting({ schema: flag, default: false, on: ['parts'] }),

  /** The SES configuration set that reports bounces and complaints. */
  mailConfigurationSet: setting({ schema: text, on: ['parts'] }),

  /** The endpoint that local mode has in place of SES. */
  sesEndpoint: setting({ schema: text, on: [], variable: 'AWS_ENDPOINT_URL_SES' }),

  /** The ID or ARN of the KMS key that encrypts secrets in the table. */
  kmsKeyId: setting({ schema: text, on: ['parts'] }),

  /** Another KMS key that secrets in the table may be encrypted with, while they move from one key to the other. */
  kmsOtherKeyId: setting({ schema: text, on: ['parts'] }),

  /** The key file that replaces KMS in local mode. */
  localKeyFile: setting({ schema: text, on: [] }),

  /** The ID or ARN of the KMS key that signs checkpoints of the audit log. */
  auditKeyId: setting({ schema: text, on: ['parts'] }),

  /** The key file that replaces it in local mode. */
  auditKeyFile: setting({ schema: text, on: [], variable: 'LOCAL_AUDIT_KEY_FILE' }),

  /** The hooks, as JSON. Only the functions that call one have it. */
  hooks: setting({ schema: text, on: ['parts'], read: orProblem(readHooks) }),

  /** The hooks that the settings name and turn off, as JSON. Only the console shows them. */
  disabledHooks: setting({ schema: text, on: ['parts'], read: orProblem(readHooks) }),

  /** Whether responses are validated against their declared schema. Enabled in tests and local mode. */
  validateResponses: setting({ schema: flag, default: false, on: [] }),
}
