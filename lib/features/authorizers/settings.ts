import { findUnknownNames } from '../../kernel/options/check-options.ts'
import { readJwtAudiences } from '../../kernel/settings/jwt-audiences.ts'

/** What an authorizer accepts and requires. The construct sets the variables: see `infra/authorizers/authorizer-options.ts`. */
export interface AuthorizerSettings {
  /** The permission that every caller needs. */
  readonly permission: string | undefined
  /** The scope that every caller needs. Only access tokens of clients have scopes. */
  readonly scope: string | undefined
  /**
   * Whether callers act in an organization: the one that their token states, or that the header of a session or an API token of a user
   * names. Permissions then count in it. Undefined: the header changes nothing, and credentials that state an organization are refused,
   * because their users chose it.
   */
  readonly organization: 'required' | 'optional' | undefined
  /** Audiences of JWTs that are accepted, besides the URL of the service in JWTs of `create_jwt`. */
  readonly audiences: readonly string[]
  /** The `client_id` of JWTs that are accepted. Undefined if each is. */
  readonly clients: readonly string[] | undefined
  /** Whether guests of access links are accepted. */
  readonly acceptsGuests: boolean
  /** Whether tokens are accepted that a client got for itself, without a user. */
  readonly acceptsMachines: boolean
  /** Whether API tokens of organizations are accepted. */
  readonly acceptsOrganizationTokens: boolean
  /** Whether the session cookie is accepted. Its answers must never be cached. */
  readonly acceptsCookie: boolean
  /** Whether answers to payload 2.0 are IAM policies. By default they are simple. */
  readonly answersWithPolicy: boolean
  /** How long AppSync may keep an answer. */
  readonly cacheSeconds: number
}

const prefix = 'AUTHORIZER_'
const variables = {
  permission: 'AUTHORIZER_PERMISSION',
  scope: 'AUTHORIZER_SCOPE',
  organization: 'AUTHORIZER_ORGANIZATION',
  audiences: 'AUTHORIZER_AUDIENCES',
  clients: 'AUTHORIZER_CLIENTS',
  acceptsGuests: 'AUTHORIZER_GUESTS',
  acceptsMachines: 'AUTHORIZER_MACHINES',
  acceptsOrganizationTokens: 'AUTHORIZER_ORGANIZATION_TOKENS',
  acceptsCookie: 'AUTHORIZER_COOKIE',
  answersWithPolicy: 'AUTHORIZER_ANSWER',
  cacheSeconds: 'AUTHORIZER_CACHE_SECONDS',
} as const satisfies Record<keyof AuthorizerSettings, string>

/** A misspelt or empty requirement would let everyone in. @throws Error that lists such variables */
const assertVariables = (environment: Readonly<Record<string, string | undefined>>): void => {
  const given = Object.keys(environment).filter((name) => name.startsWith(prefix))
  const problems = [
    ...findUnknownNames(given, Object.values(variables), 'a variable of the authorizer'),
    ...[variables.permission, variables.scope]
      .filter((name) => environment[name] === '')
      .map((name) => `${name} must not be empty.`),
  ]
  if (problems.length > 0) throw new Error(problems.join(' '))
}

/** @throws Error if the variables contradict each other, are unknown or are invalid */
export const readAuthorizerSettings = (
  environment: Readonly<Record<string, string | undefined>>,
): AuthorizerSettings => {
  assertVariables(environment)
  const audiences = readJwtAudiences(environment[variables.audiences] ?? '')
  if (typeof audiences === 'string') throw new Error(`${variables.audiences} ${audiences}`)
  const cacheSeconds = Number(environment[variables.cacheSeconds] || 0)
  if (!Number.isInteger(cacheSeconds) || cacheSeconds < 0 || cacheSeconds > 3600)
    throw new Error(`${variables.cacheSeconds} must be an integer from 0 to 3600`)
  const acceptsCookie = environment[variables.acceptsCookie] === 'true'
  if (acceptsCookie && cacheSeconds > 0)
    throw new Error(`${variables.acceptsCookie} does not work with ${variables.cacheSeconds}`)
  const { [variables.organization]: organization } = environment
  if (organization !== undefined && organization !== 'required' && organization !== 'optional')
    throw new Error(`${variables.organization} must be required or optional`)
  // AppSync keeps answers by the token alone.
  if (organization !== undefined && cacheSeconds > 0)
    throw new Error(`${variables.organization} does not work with ${variables.cacheSeconds}`)
  const acceptsOrganizationTokens = environment[variables.acceptsOrganizationTokens] === 'true'
  if (acceptsOrganizationTokens && organization === undefined)
    throw new Error(`${variables.acceptsOrganizationTokens} does not work without ${variables.organization}`)
  const clients = environment[variables.clients]
  return {
    permission: environment[variables.permission],
    scope: environment[variables.scope],
    organization,
    audiences,
    // An empty list accepts none.
    clients: clients?.split(',').map((client) => client.trim()),
    acceptsGuests: environment[variables.acceptsGuests] === 'true',
    acceptsMachines: environment[variables.acceptsMachines] === 'true',
    acceptsOrganizationTokens,
    acceptsCookie,
    answersWithPolicy: environment[variables.answersWithPolicy] === 'policy',
    cacheSeconds,
  }
}
