import { readJwtAudiences } from '../../lib/settings/jwt-audiences.ts'

/** What an authorizer accepts and requires. The construct sets the variables: see `infra/authorizers/authorizer-options.ts`. */
export interface AuthorizerSettings {
  /** The permission that every caller needs. */
  readonly permission: string | undefined
  /** The scope that every caller needs. Only access tokens of clients have scopes. */
  readonly scope: string | undefined
  /** Audiences of JWTs that are accepted, besides the URL of the service in JWTs of `create_jwt`. */
  readonly audiences: readonly string[]
  /** The `client_id` of JWTs that are accepted. Undefined if each is. */
  readonly clients: readonly string[] | undefined
  /** Whether guests of access links are accepted. */
  readonly acceptsGuests: boolean
  /** Whether tokens are accepted that a client got for itself, without a user. */
  readonly acceptsMachines: boolean
  /** Whether the session cookie is accepted. Its answers must never be cached. */
  readonly acceptsCookie: boolean
  /** Whether answers to payload 2.0 are IAM policies. By default they are simple. */
  readonly answersWithPolicy: boolean
  /** How long AppSync may keep an answer. */
  readonly cacheSeconds: number
}

/** @throws Error if the variables contradict each other or are invalid */
export const readAuthorizerSettings = (
  environment: Readonly<Record<string, string | undefined>>,
): AuthorizerSettings => {
  const audiences = readJwtAudiences(environment['AUTHORIZER_AUDIENCES'] ?? '')
  if (typeof audiences === 'string') throw new Error(`AUTHORIZER_AUDIENCES ${audiences}`)
  const cacheSeconds = Number(environment['AUTHORIZER_CACHE_SECONDS'] || 0)
  if (!Number.isInteger(cacheSeconds) || cacheSeconds < 0 || cacheSeconds > 3600)
    throw new Error('AUTHORIZER_CACHE_SECONDS must be an integer from 0 to 3600')
  const acceptsCookie = environment['AUTHORIZER_COOKIE'] === 'true'
  if (acceptsCookie && cacheSeconds > 0)
    throw new Error('AUTHORIZER_COOKIE does not work with AUTHORIZER_CACHE_SECONDS')
  const clients = environment['AUTHORIZER_CLIENTS']
  return {
    permission: environment['AUTHORIZER_PERMISSION'] || undefined,
    scope: environment['AUTHORIZER_SCOPE'] || undefined,
    audiences,
    // An empty list accepts none.
    clients: clients?.split(',').map((client) => client.trim()),
    acceptsGuests: environment['AUTHORIZER_GUESTS'] === 'true',
    acceptsMachines: environment['AUTHORIZER_MACHINES'] === 'true',
    acceptsCookie,
    answersWithPolicy: environment['AUTHORIZER_ANSWER'] === 'policy',
    cacheSeconds,
  }
}
