import {
  type Configuration,
  errors,
  type FindAccount,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider'
import { languages } from '../../../kernel/i18n/languages.ts'
import { directoryTokenMs } from '../../../kernel/limits/connection-limits.ts'
import {
  jwtCharacters,
  oauthCodeMs,
  oauthDeviceMs,
  oauthInteractionMs,
  oauthParameterCharacters,
  oauthPushedRequestMs,
  signedTokenLifetimeMs,
} from '../../../kernel/limits/limits.ts'
import type { Config } from '../../../kernel/settings/config.ts'
import { getUserinfoAudience, scimScope } from '../../../kernel/settings/jwt-audiences.ts'
import { proofAlgorithms } from '../../../middleware/dpop-proof.ts'
import type { ActingSession } from '../../organizations/acting-principal.ts'
import { authenticationClasses } from '../../sign-in/authentication-class.ts'
import { addClaims } from '../added-claims.ts'
import { isClientSecret } from '../authenticate-client.ts'
import { buildScopeClaims } from '../claims.ts'
import { clientAssertionAlgorithms } from '../client-assertion.ts'
import { isRedirectUriOf } from '../client-uris.ts'
import { type ClientRecord, getsOrganizations } from '../clients.records.ts'
import { AuthorizationRequest } from '../flow.models.ts'
import { findGrantSubject } from '../grants.ts'
import { type ApiRights, findApiRights } from '../protected-apis.records.ts'
import {
  findApisOfScopes,
  isApiOf,
  listGrantedScopes,
  listResources,
  listScopes,
  toResource,
} from '../resources.ts'
import { describeToClient, nameSubject, scopeClaims } from '../token-claims.ts'
import { buildUserClaims, getCredentialEnd, type UserClaims } from '../tokens/claims.ts'
import { createAdapter } from './adapter.ts'
import { describeDirectory, describeMachine } from './describe-machine.ts'
import { buildGrant } from './new-grant.ts'
import type { ProviderKeys } from './provider-keys.ts'
import { providerPaths } from './provider-paths.ts'
import { rotatesRefreshToken } from './refresh-tokens.ts'
import { getRun, type ProviderRun } from './run.ts'
import { buildInteractionPolicy, startInteraction } from './start-interaction.ts'

type ClientAlgorithms = NonNullable<Configuration['enabledJWA']>['clientAuthSigningAlgValues']

type ProofAlgorithms = NonNullable<Configuration['enabledJWA']>['dPoPSigningAlgValues']

const off = { enabled: false } as const
const clientAuthMethods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'] as const

/**
 * Builds the provider of the library with these keys. It keeps nothing between requests: everything that a request depends
 * on is in the table, and its session is that of this service.
 */
export const buildProvider = ({ publicUrl }: Config, { keys }: ProviderKeys): Provider => {
  const { authorization, deviceAuthorization, pushedAuthorization, token, jwks } = providerPaths
  const provider = new Provider(publicUrl, {
    adapter: createAdapter,
    jwks: { keys },
    routes: {
      authorization,
      token,
      jwks,
      device_authorization: deviceAuthorization,
      pushed_authorization_request: pushedAuthorization,
    },
    scopes: [...Object.keys(scopeClaims), 'offline_access'],
    claims: { ...copyLists(scopeClaims), openid: [...(scopeClaims['openid'] ?? []), 'at_hash'] },
    acrValues: Object.values(authenticationClasses),
    responseTypes: ['code'],
    clientAuthMethods: [...clientAuthMethods],
    enabledJWA: {
      clientAuthSigningAlgValues: [...clientAssertionAlgorithms] as ClientAlgorithms,
      dPoPSigningAlgValues: [...proofAlgorithms] as ProofAlgorithms,
    },
    pkce: { required: () => getRun().client?.requires_pkce ?? true },
    allowOmittingSingleRegisteredRedirectUri: false,
    extraParams: parameterLengths,
    conformIdTokenClaims: false,
    ttl: lifetimes,
    findAccount,
    subjectTypes: ['public', 'pairwise'],
    pairwiseIdentifier: nameSubjectOfRun,
    loadExistingGrant: buildGrant,
    // A session that ends is found out by reading it, whenever a code or refresh token is used.
    expiresWithSession: () => false,
    issueRefreshToken: (_ctx, _client, code) => code.scopes.has('offline_access'),
    rotateRefreshToken: rotatesRefreshToken,
    revokeGrantPolicy: () => true,
    clientBasedCORS: () => true,
    formats: { customizers: { jwt: customizeAccessToken } },
    // The names do not matter: no cookie of the library reaches a browser.
    cookies: {
      names: { session: 'session', interaction: 'interaction', resume: 'resume' },
      long: { signed: false },
      short: { signed: false },
    },
    interactions: { policy: buildInteractionPolicy(), url: startInteraction },
    features: {
      devInteractions: off,
      dPoP: { enabled: true },
      pushedAuthorizationRequests: { enabled: true },
      rpInitiatedLogout: off,
      userinfo: off,
      externalSigningSupport: { enabled: true, ack: 'experimental-01' },
      clientCredentials: { enabled: true },
      deviceFlow: { enabled: true },
      resourceIndicators,
    },
    discovery: {
      userinfo_endpoint: `${publicUrl}${providerPaths.userinfo}`,
      introspection_endpoint: `${publicUrl}${providerPaths.introspection}`,
      revocation_endpoint: `${publicUrl}${providerPaths.revocation}`,
      end_session_endpoint: `${publicUrl}${providerPaths.logout}`,
      // Public clients have nothing to prove, and learn nothing about tokens.
      introspection_endpoint_auth_methods_supported: clientAuthMethods.filter((name) => name !== 'none'),
      revocation_endpoint_auth_methods_supported: clientAuthMethods,
      introspection_endpoint_auth_signing_alg_values_supported: clientAssertionAlgorithms,
      revocation_endpoint_auth_signing_alg_values_supported: clientAssertionAlgorithms,
      ui_locales_supported: languages,
      client_id_metadata_document_supported: true,
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
      prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    },
    renderError: (_ctx, { error, error_description: description }, cause) => {
      const run = getRun()
      run.refusal = { error, description }
      if (!('expose' in cause && cause.expose)) run.failure = cause
    },
  })
  // The address is that of `publicUrl`, which the request names in a header: see `run-provider.ts`.
  provider.proxy = true
  provider.on('authorization.error', (_ctx, { error, error_description: description }) => {
    getRun().authorizationError = { error, description }
  })
  provider.on('grant.error', (_ctx, { error, error_detail: detail }) => {
    getRun().tokenError = { error, detail }
  })
  provider.on('server_error', (_ctx, error) => {
    getRun().failure = error
  })
  customizeModels(provider)
  return provider
}

const copyLists = (lists: typeof scopeClaims): Record<string, string[]> =>
  Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, [...list]]))

const toSeconds = (ms: number): number => Math.max(1, Math.floor(ms / 1000))

/** The lifetime of a token of the present request in seconds. It never outlives the session, and an hour at most. */
const getTokenLifetime = (wanted = 0): number => {
  const { services, subject, grant } = getRun()
  const end = Math.min(
    subject ? getCredentialEnd(services, subject) : Number.POSITIVE_INFINITY,
    grant?.expiresAt ?? Number.POSITIVE_INFINITY,
  )
  return toSeconds(Math.min(wanted * 1000, signedTokenLifetimeMs, end - services.now()))
}

/** Lifetimes in seconds. */
const lifetimes = {
  AccessToken: () => getTokenLifetime(getRun().client?.access_token_lifetime),
  ClientCredentials: () => {
    const { client, directory } = getRun()
    return directory ? toSeconds(directoryTokenMs) : getTokenLifetime(client?.access_token_lifetime)
  },
  IdToken: () => getTokenLifetime(getRun().client?.id_token_lifetime),
  RefreshToken: () => {
    const { services, grant } = getRun()
    return toSeconds((grant?.expiresAt ?? 0) - services.now())
  },
  AuthorizationCode: toSeconds(oauthCodeMs),
  DeviceCode: toSeconds(oauthDeviceMs),
  PushedAuthorizationRequest: toSeconds(oauthPushedRequestMs),
  Interaction: toSeconds(oauthInteractionMs),
  // These two are never stored under these names.
  Session: toSeconds(oauthInteractionMs),
  Grant: toSeconds(oauthInteractionMs),
}

type Customizers = NonNullable<NonNullable<Configuration['formats']>['customizers']>

/**
 * Adds to an access token what it states about its user for its scopes. Its identifier contains that of the grant, by which
 * introspection, userinfo and revocation find the grant.
 */
const customizeAccessToken: NonNullable<Customizers['jwt']> = async (ctx, token, jwt) => {
  const run = getRun()
  const { client, grant, services } = run
  if (!client) throw new errors.InvalidClient('the client is not known')
  const stated = String(jwt.payload['scope'] ?? '').split(' ')
  if (token.kind === 'ClientCredentials' && run.directory) {
    Object.assign(jwt.payload, await describeDirectory(run, client, String(ctx.oidc.params?.['scope'])))
    return
  }
  if (token.kind === 'ClientCredentials') {
    if (!run.api) throw new errors.InvalidTarget('the resource is not known')
    // A misspelt scope must not lead to a token with all that the client has.
    const wanted = String(ctx.oidc.params?.['scope'] ?? '').split(' ')
    const refused = wanted.find((name) => name !== '' && !stated.includes(name))
    if (refused !== undefined) throw new errors.InvalidScope('requested scope is not allowed', refused)
    Object.assign(jwt.payload, await describeMachine(run, client, { api: run.api, scopes: stated }))
    return
  }
  // A token for no API is worth nothing but userinfo, so it names no rights.
  const isForApi = jwt.payload['aud'] !== getUserinfoAudience(services.config.publicUrl)
  if (isForApi && !run.api) throw new errors.InvalidTarget('the resource is not known')
  const scopes = isForApi ? stated : []
  if (!run.subject) throw new errors.InvalidGrant('the user is not known')
  const api = isForApi ? run.api : undefined
  const rights = { client, scopes, api, hookClaims: run.hookClaims }
  const claims = describeToClient(run.subject, await getUserClaims(run), rights)
  const known = { ...jwt.payload, ...claims, jti: `${grant?.id}.${token.jti}` }
  Object.assign(jwt.payload, addClaims(services, 'access_token', rights, run.subject, known))
}

const { others, ...own } = oauthParameterCharacters
const limits: ReadonlyMap<string, number> = new Map(Object.entries(own))

/** The characters that each parameter of an authorization may have. */
const parameterLimits: ReadonlyMap<string, number> = new Map(
  Object.keys(AuthorizationRequest.shape).map((name) => [name, limits.get(name) ?? others]),
)

/** Without PKCE, only a nonce ties a code to the browser that asked for it (RFC 9700 2.1.1). */
const requireNonce = ({ oidc }: KoaContextWithOIDC): void => {
  const { response_type: type, code_challenge: challenge } = oidc.params ?? {}
  if (getRun().client?.requires_pkce === false && type !== undefined && challenge === undefined)
    throw new errors.InvalidRequest('without PKCE, nonce is required')
}

/** A client without organizations finds out that it asks for the wrong thing, instead of getting tokens without one. */
const refuseOrganization = (name: string): void => {
  const isOrganization = name === 'organization' || name === 'organization_id'
  const { client } = getRun()
  if (isOrganization && client && !getsOrganizations(client))
    throw new errors.InvalidRequest(
      `this client gets no tokens for organizations, so ${name} is not allowed: it needs the scope organization`,
    )
}

/** Refuses parameters of an authorization that are too long. The client gets the error at its address. */
const parameterLengths = Object.fromEntries(
  [...parameterLimits].map(([name, most]) => [
    name,
    (ctx: KoaContextWithOIDC, value: string | undefined): void => {
      if (value !== undefined && value.length > most)
        throw new errors.InvalidRequest(`${name} is longer than ${most} characters`)
      if (name === 'nonce' && value === undefined) requireNonce(ctx)
      if (value !== undefined) refuseOrganization(name)
    },
  ]),
)

/** Replaces methods of the models of the library for which there is no setting. */
const customizeModels = (provider: Provider): void => {
  const { Client, AccessToken, IdToken, RefreshToken, AuthorizationCode, DeviceCode } = provider
  for (const { prototype } of [AuthorizationCode, DeviceCode, RefreshToken]) {
    const { consume } = prototype
    prototype.consume = async function () {
      // If the function of a product fails, the client can send the same request again.
      await askHook(getRun(), this)
      return consume.call(this)
    }
  }
  // The table has only hashes of secrets. The library documents this replacement.
  Client.prototype.compareClientSecret = async (secret) => {
    const { client, provenClient, services, context } = getRun()
    if (provenClient) return provenClient.clientId === client?.clientId
    return (
      client !== undefined && (await isClientSecret(services, client, { secret, address: context?.address }))
    )
  }
  Client.prototype.redirectUriAllowed = (uri) => {
    const { client } = getRun()
    return client !== undefined && isRedirectUriOf(client, uri)
  }
  // Other types of responses are refused right after this, with the error that says so.
  Client.prototype.responseModeAllowed = (mode, type) =>
    type !== 'code' || mode === 'query' || mode === 'form_post'
  const { save: saveRefreshToken } = RefreshToken.prototype
  RefreshToken.prototype.save = async function (...ttl) {
    this.jti = getRun().nextRefreshToken ?? this.jti
    return saveRefreshToken.apply(this, ttl)
  }
  // The library drops the claims that it does not know. A service gives them their names.
  const { payload } = IdToken.prototype
  IdToken.prototype.payload = async function () {
    return { ...getRun().idTokenClaims, ...(await payload.call(this)) }
  }
  const { save } = AccessToken.prototype
  AccessToken.prototype.save = async function () {
    const value = await save.call(this)
    if (value.length > jwtCharacters)
      throw new errors.InvalidRequest(
        'the groups, permissions and claims of the user do not fit into a token',
      )
    getRun().accessToken = value
    return value
  }
}

/**
 * The API that a token is issued for. It was read together with the grant. A client that asks for itself has none.
 *
 * @throws InvalidTarget if the API was deleted
 */
const requireApi = async (run: ProviderRun, client: ClientRecord, audience: string): Promise<ApiRights> => {
  const api = run.api ?? (run.grant ? undefined : (await findApiRights(run.services.table, [audience]))[0])
  if (!isApiOf(client, audience, api)) throw new errors.InvalidTarget('the resource was deleted')
  run.api = api
  return api
}

type ResourceIndicators = NonNullable<NonNullable<Configuration['features']>['resourceIndicators']>

/** Whether a client asks for a token for itself (RFC 6749 4.4). */
const isForMachine = ({ oidc }: KoaContextWithOIDC): boolean =>
  oidc.params?.['grant_type'] === 'client_credentials'

/**
 * Which server an access token is for (RFC 8707). Every access token is a JWT with one audience. It is for userinfo unless
 * the client names an API, so that a token that was requested without a thought is worth the least.
 */
const resourceIndicators: ResourceIndicators = {
  enabled: true,
  defaultResource: async (ctx, _client, oneOf) => {
    if (oneOf && oneOf.length > 1) throw new errors.InvalidTarget('only one resource can be requested')
    const { services, client } = getRun()
    const scopes = String(ctx.oidc.params?.['scope'] ?? '').split(' ')
    const named = client ? findApisOfScopes(client, scopes) : []
    if (named.length > 1)
      throw new errors.InvalidTarget(
        'the scopes are of several APIs, so that the request has to name a resource',
      )
    // A client without a user has nothing to read at userinfo.
    const only = isForMachine(ctx) && client?.apis.length === 1 ? client.apis : []
    const [api] = [...named, ...only]
    return oneOf?.[0] ?? (api ? toResource(api.audience) : getUserinfoAudience(services.config.publicUrl))
  },
  useGrantedResource: () => true,
  getResourceServerInfo: async (ctx, resource) => {
    const run = getRun()
    const { services, client, directory } = run
    if (!client) throw new errors.InvalidTarget('the client is not known')
    if (directory) return { audience: resource, accessTokenFormat: 'jwt', scope: scimScope }
    const audience = listResources(services.config, client).get(resource)
    if (isForMachine(ctx) && audience === getUserinfoAudience(services.config.publicUrl))
      throw new errors.InvalidTarget('the request has to name a resource')
    if (audience === undefined) throw new errors.InvalidTarget('the client may not ask for this resource')
    const scopes =
      ctx.oidc.route === 'token' && audience !== getUserinfoAudience(services.config.publicUrl)
        ? listGrantedScopes(client, resource, await requireApi(run, client, audience))
        : listScopes(client, resource)
    return { audience, accessTokenFormat: 'jwt', scope: scopes.join(' ') }
  },
}

/**
 * Finds the user of an authorization, or of a code or refresh token. In the latter case the session is read again. If it
 * has ended, or is of another user by now, the token does not work any more.
 */
const findAccount: FindAccount = async (ctx, accountId, token) => {
  const run = getRun()
  const subject = token ? await findSubjectOfGrant(run) : run.principal
  const { client } = run
  if (!client || !subject || String(subject.user.id) !== accountId) return undefined
  run.subject = subject
  if (token) await askHook(run, token)
  // As metadata, it would need an address that groups clients, and devices could not sign in.
  if (client.subject_source && ctx.oidc.client) Object.assign(ctx.oidc.client, { subjectType: 'pairwise' })
  return {
    accountId,
    claims: async (use, scope) => {
      const described = {
        principal: run.subject ?? subject,
        claims: await getUserClaims(run),
        place: 'id_token',
      } as const
      const rights = { client, scopes: scope.split(' '), hookClaims: run.hookClaims }
      const claims = await buildScopeClaims(run.services, described, rights)
      run.idTokenClaims = claims
      // The library hashes it.
      const atHash = use === 'id_token' && run.accessToken ? { at_hash: run.accessToken } : {}
      return { ...claims, sub: accountId, ...atHash }
    },
  }
}

/** A hook may have had the session read already. */
const findSubjectOfGrant = async ({
  services,
  grant,
  found,
}: ProviderRun): Promise<ActingSession | undefined> =>
  found && found.grant === grant ? found.subject : grant && findGrantSubject(services, grant)

/** What a code, device code or refresh token is for. */
interface TokenSource {
  readonly scope?: string | undefined
}

/**
 * Asks the hook `beforeToken` once for its claims. Takes nothing without one.
 *
 * @throws AppError `temporarily_unavailable` if it fails and clients get no tokens then
 */
const askHook = async (run: ProviderRun, { scope = '' }: TokenSource): Promise<void> => {
  const { services, context, client, grant } = run
  if (!run.asksHook || run.hookClaims || !client || !grant || !context) return
  const subject = await findSubjectOfGrant(run)
  run.found = { grant, subject }
  if (!subject) return
  const { askForClaims } = await import('../hook-claims.ts')
  const { config } = services
  const named = run.resource === undefined ? undefined : listResources(config, client).get(run.resource)
  const audience = named === getUserinfoAudience(config.publicUrl) ? undefined : named
  run.hookClaims = await askForClaims(services, context, {
    ...{ client, subject, audience },
    scopes: scope.split(' '),
  })
}

/** The subject for a client that came from another system. To the library, it is one that clients do not share. */
const nameSubjectOfRun = (_ctx: unknown, accountId: string): string => {
  const { subject, principal, client } = getRun()
  const user = (subject ?? principal)?.user
  if (!user || !client || String(user.id) !== accountId)
    throw new errors.InvalidGrant('the user is not known')
  return nameSubject(user, client)
}

/** What the tokens of a request state about their user. Reads groups once. */
const getUserClaims = async (run: ProviderRun): Promise<UserClaims> => {
  if (!run.subject) throw new errors.InvalidGrant('the user is not known')
  run.claims ??= await buildUserClaims(run.services, run.subject)
  return run.claims
}
