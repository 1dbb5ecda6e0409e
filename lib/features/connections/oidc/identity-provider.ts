import type { ClientAuth, Configuration, DiscoveryRequestOptions, ServerMetadata } from 'openid-client'
import { AppError } from '../../../kernel/errors/errors.ts'
import { discoveriesCached, discoveryCacheMs } from '../../../kernel/limits/connection-limits.ts'
import { getRemainingMs } from '../../../kernel/util/time.ts'
import type { Services } from '../../../services.ts'
import { getAddressRules, getFetchRules } from '../address-rules.ts'
import { FetchError } from '../fetch-error.ts'
import { readMetadataAddress, validateWebAddress } from '../web-address.ts'
import { getClientSecretContext } from './protocol.ts'
import { getProviderRow } from './providers/rows.ts'
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
 * issuer of the connection, unless the row of the provider says that it has a template, or that there is none.
 *
 * @throws AppError `upstream_failed` if the identity provider cannot be reached, or is not the expected one
 */
export const openIdentityProvider = async (
  services: Services,
  connection: OidcConnection,
  secret?: string,
): Promise<Configuration> => {
  const library = await import('openid-client')
  const row = getProviderRow(connection)
  const metadata =
    row.metadata.from === 'row'
      ? row.metadata.build(connection)
      : await discover(services, connection, library)
  const authenticate = await buildAuthentication(library, services, connection, secret)
  const { createSafeFetch } = await import('./safe-fetch.ts')
  const configuration =
    row.metadata.from === 'template'
      ? await discoverTemplate(library, row.metadata.origin, connection.client_id, authenticate, {
          [library.customFetch]: async () => Response.json(metadata),
        })
      : new library.Configuration(metadata, connection.client_id, {}, authenticate)
  const send = createSafeFetch(services.config)
  configuration[library.customFetch] = row.adaptFetch
    ? await row.adaptFetch(send, connection, metadata)
    : send
  if (getFetchRules(services.config).allowsLoopback) library.allowInsecureRequests(configuration)
  // Otherwise the library trusts the TLS connection to the token endpoint, and skips the signature.
  library.enableNonRepudiationChecks(configuration)
  return configuration
}

const buildAuthentication = async (
  library: Library,
  { now }: Services,
  connection: OidcConnection,
  secret: string | undefined,
) => {
  if (secret === undefined) return library.None()
  const { madeSecret } = getProviderRow(connection)
  if (madeSecret) return library.ClientSecretPost(await madeSecret.make(connection, secret, now()))
  const { token_endpoint_auth_method, publicJwk } = connection
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

type Library = typeof import('openid-client')

/**
 * Reads a discovery document whose issuer is a template, in which the library puts the `tid` of each ID token. It does that for one origin
 * alone. The function that fetches chooses the real address, so that a stand-in can play it.
 */
const discoverTemplate = (
  library: Library,
  origin: string,
  clientId: string,
  authenticate: ClientAuth | undefined,
  options: DiscoveryRequestOptions,
): Promise<Configuration> => library.discovery(new URL(origin), clientId, undefined, authenticate, options)

const discover = async (
  { config, now }: Services,
  connection: OidcConnection,
  library: Library,
): Promise<ServerMetadata> => {
  const { issuer, client_id } = connection
  const { metadata: source } = getProviderRow(connection)
  // No other connection gets a document that only one with a template may have.
  const name = `${source.from} ${issuer}`
  const cached = discoveries.get(name)
  if (cached && getRemainingMs(cached.until, now(), discoveryCacheMs) > 0) return cached.metadata
  const { createSafeFetch } = await import('./safe-fetch.ts')
  const send = createSafeFetch(config)
  const insecure = getFetchRules(config).allowsLoopback ? { execute: [library.allowInsecureRequests] } : {}
  const discovered =
    source.from === 'template'
      ? discoverTemplate(library, source.origin, client_id, undefined, {
          [library.customFetch]: (_, options) => send(`${issuer}/.well-known/openid-configuration`, options),
          ...insecure,
        })
      : library.discovery(new URL(issuer), client_id, undefined, undefined, {
          [library.customFetch]: send,
          ...insecure,
        })
  const metadata = (await discovered.catch(throwProviderError)).serverMetadata()
  requireUsable(config, metadata, connection)
  if (discoveries.size >= discoveriesCached) discoveries.clear()
  discoveries.set(name, { metadata, until: now() + discoveryCacheMs })
  return metadata
}

/** Browsers are sent to the authorization endpoint, and this service to the others. */
const requireUsable = (
  config: Services['config'],
  { issuer, authorization_endpoint: start, token_endpoint: token, jwks_uri: keys }: ServerMetadata,
  connection: OidcConnection,
): void => {
  const isFetchable = (url: string | undefined) =>
    url !== undefined && typeof readMetadataAddress(url, getFetchRules(config)) !== 'string'
  const { metadata: source } = getProviderRow(connection)
  const isExpected =
    source.from === 'template' ? source.isTemplateIssuer(connection, issuer) : issuer === connection.issuer
  if (!isExpected) throw refuseDiscovery('is for another issuer')
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
