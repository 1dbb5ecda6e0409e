import type { Configuration, ServerMetadata } from 'openid-client'
import { AppError } from '../../../kernel/errors/errors.ts'
import { discoveriesCached, discoveryCacheMs } from '../../../kernel/limits/connection-limits.ts'
import { getRemainingMs } from '../../../kernel/util/time.ts'
import type { Services } from '../../../services.ts'
import { getAddressRules, getFetchRules } from '../address-rules.ts'
import { FetchError } from '../fetch-error.ts'
import { readMetadataAddress, validateWebAddress } from '../web-address.ts'
import { getClientSecretContext } from './protocol.ts'
import type { OidcConnection } from './records.ts'

export const getRedirectUri = (publicUrl: string, connectionId: number): string =>
  `${publicUrl}/api/2/auth/oidc-connections/${connectionId}/callback`

interface Discovery {
  readonly metadata: ServerMetadata
  /** Epoch milliseconds. */
  readonly until: number
}

/** Discovery documents in the memory of a warm function. Keys are never cached, so a new key counts at once. */
const discoveries = new Map<string, Discovery>()

/**
 * Prepares the library for one connection. A sign-in that starts needs no secret. The discovery document must be that of exactly the
 * issuer of the connection.
 *
 * @throws AppError `upstream_failed` if the identity provider cannot be reached, or is not the expected one
 */
export const openIdentityProvider = async (
  services: Services,
  connection: OidcConnection,
  secret?: string,
): Promise<Configuration> => {
  const library = await import('openid-client')
  const metadata = await discover(services, connection, library)
  const authenticate = await buildAuthentication(library, connection, secret)
  const { createSafeFetch } = await import('./safe-fetch.ts')
  const configuration = new library.Configuration(metadata, connection.client_id, {}, authenticate)
  configuration[library.customFetch] = createSafeFetch(services.config)
  if (getFetchRules(services.config).allowsLoopback) library.allowInsecureRequests(configuration)
  // Otherwise the library trusts the TLS connection to the token endpoint, and skips the signature.
  library.enableNonRepudiationChecks(configuration)
  return configuration
}

const buildAuthentication = async (
  library: typeof import('openid-client'),
  { token_endpoint_auth_method, publicJwk }: OidcConnection,
  secret: string | undefined,
) => {
  if (secret === undefined) return library.None()
  if (token_endpoint_auth_method === 'private_key_jwt') {
    const { readClientKey } = await import('./client-keys.ts')
    const { kid } = JSON.parse(publicJwk ?? '{}')
    return library.PrivateKeyJwt({ key: await readClientKey(secret), kid })
  }
  return token_endpoint_auth_method === 'client_secret_post'
    ? library.ClientSecretPost(secret)
    : library.ClientSecretBasic(secret)
}

export const decryptClientSecret = (
  { vault }: Services,
  { id, clientSecret }: OidcConnection,
): Promise<string> => vault.decrypt(clientSecret.cipher, getClientSecretContext(id))

const discover = async (
  { config, now }: Services,
  { issuer, client_id }: OidcConnection,
  library: typeof import('openid-client'),
): Promise<ServerMetadata> => {
  const cached = discoveries.get(issuer)
  if (cached && getRemainingMs(cached.until, now(), discoveryCacheMs) > 0) return cached.metadata
  const { createSafeFetch } = await import('./safe-fetch.ts')
  const configuration = await library
    .discovery(new URL(issuer), client_id, undefined, undefined, {
      [library.customFetch]: createSafeFetch(config),
      ...(getFetchRules(config).allowsLoopback ? { execute: [library.allowInsecureRequests] } : {}),
    })
    .catch(throwProviderError)
  const metadata = configuration.serverMetadata()
  requireUsable(config, metadata, issuer)
  if (discoveries.size >= discoveriesCached) discoveries.clear()
  discoveries.set(issuer, { metadata, until: now() + discoveryCacheMs })
  return metadata
}

/** Browsers are sent to the authorization endpoint, and this service to the others. */
const requireUsable = (
  config: Services['config'],
  { issuer, authorization_endpoint: start, token_endpoint: token, jwks_uri: keys }: ServerMetadata,
  expected: string,
): void => {
  const isFetchable = (url: string | undefined) =>
    url !== undefined && typeof readMetadataAddress(url, getFetchRules(config)) !== 'string'
  if (issuer !== expected) throw refuseDiscovery('is for another issuer')
  if (start === undefined || validateWebAddress(start, getAddressRules(config)) !== undefined)
    throw refuseDiscovery('has no valid authorization endpoint')
  if (!isFetchable(token) || !isFetchable(keys))
    throw refuseDiscovery('has no token endpoint or no keys that can be reached')
}

const refuseDiscovery = (problem: string): AppError =>
  new AppError('upstream_failed', {
    reason: 'discovery',
    detail: `The discovery document of the identity provider ${problem}.`,
  })

/** The failed step of a fetch, if one is the cause of an error of the library. */
export const findFetchError = (error: unknown): FetchError | undefined => {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof FetchError) return cause
  return undefined
}

const throwProviderError = (error: unknown): never => {
  const failed = findFetchError(error)
  if (failed) throw createFetchProblem(failed)
  throw refuseDiscovery('is not valid')
}

/** An error of a fetch as a problem. Its text names metadata, which is right for a discovery document. */
export const createFetchProblem = ({ reason }: FetchError): AppError =>
  new AppError('upstream_failed', {
    reason: reason === 'address' ? 'resolve' : reason,
    detail: 'The identity provider could not be reached, or did not answer as expected. Try again.',
  })
