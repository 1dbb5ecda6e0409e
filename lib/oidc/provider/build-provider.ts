import { Provider } from 'oidc-provider'
import { oidcCodeMs, oidcInteractionMs, signedTokenLifetimeMs } from '../../limits/limits.ts'
import type { Config } from '../../settings/config.ts'
import { authenticationClasses } from '../../tokens/authentication-class.ts'
import { getCredentialEnd } from '../../tokens/credential-end.ts'
import { scopeClaims } from '../scope-claims.ts'
import { findAccount } from './accounts.ts'
import { createAdapter } from './adapter.ts'
import { customizeModels } from './customize-models.ts'
import { customizeAccessToken } from './customize-tokens.ts'
import { buildGrant } from './new-grant.ts'
import { parameterLengths } from './parameter-lengths.ts'
import type { ProviderKeys } from './provider-keys.ts'
import { providerPaths } from './provider-paths.ts'
import { resourceIndicators } from './resources.ts'
import { getRun } from './run.ts'
import { buildInteractionPolicy, startInteraction } from './start-interaction.ts'

const off = { enabled: false } as const

/** Claims of every ID token about the sign-in, which no scope limits. */
const signInClaims = ['sid', 'amr', 'acr', 'auth_time', 'at_hash']

/**
 * Builds the provider of the library with these keys. It keeps nothing between requests: everything that a request depends
 * on is in the table, and its session is that of this service.
 */
export const buildProvider = ({ publicUrl }: Config, { keys }: ProviderKeys): Provider => {
  const { authorization, token, jwks } = providerPaths
  const provider = new Provider(publicUrl, {
    adapter: createAdapter,
    jwks: { keys },
    routes: { authorization, token, jwks },
    scopes: [...Object.keys(scopeClaims), 'offline_access'],
    claims: { ...scopeClaims, openid: [...scopeClaims.openid, ...signInClaims] },
    acrValues: Object.values(authenticationClasses),
    responseTypes: ['code'],
    subjectTypes: ['public'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    extraParams: parameterLengths,
    conformIdTokenClaims: false,
    ttl: lifetimes,
    findAccount,
    loadExistingGrant: buildGrant,
    // A session that ends is found out by reading it, whenever a code or refresh token is used.
    expiresWithSession: () => false,
    issueRefreshToken: (_ctx, _client, code) => code.scopes.has('offline_access'),
    rotateRefreshToken: true,
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
      dPoP: off,
      pushedAuthorizationRequests: off,
      rpInitiatedLogout: off,
      userinfo: off,
      externalSigningSupport: { enabled: true, ack: 'experimental-01' },
      resourceIndicators,
    },
    discovery: {
      userinfo_endpoint: `${publicUrl}${providerPaths.userinfo}`,
      introspection_endpoint: `${publicUrl}${providerPaths.introspection}`,
      revocation_endpoint: `${publicUrl}${providerPaths.revocation}`,
      end_session_endpoint: `${publicUrl}${providerPaths.logout}`,
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
  provider.on('server_error', (_ctx, error) => {
    getRun().failure = error
  })
  customizeModels(provider)
  return provider
}

const toSeconds = (ms: number): number => Math.max(1, Math.floor(ms / 1000))

/** The lifetime of a token of the present request in seconds. It never outlives the session, and an hour at most. */
const getTokenLifetime = (wantedMs: number | undefined): number => {
  const { services, subject, grant } = getRun()
  const end = Math.min(
    subject ? getCredentialEnd(services, subject) : Number.POSITIVE_INFINITY,
    grant?.expiresAt ?? Number.POSITIVE_INFINITY,
  )
  return toSeconds(Math.min(wantedMs ?? 0, signedTokenLifetimeMs, end - services.now()))
}

/** Lifetimes in seconds. */
const lifetimes = {
  AccessToken: () => getTokenLifetime(getRun().client?.accessTokenLifetimeMs),
  IdToken: () => getTokenLifetime(getRun().client?.idTokenLifetimeMs),
  RefreshToken: () => {
    const { services, grant } = getRun()
    return toSeconds((grant?.expiresAt ?? 0) - services.now())
  },
  AuthorizationCode: toSeconds(oidcCodeMs),
  Interaction: toSeconds(oidcInteractionMs),
  // These two are never stored under these names.
  Session: toSeconds(oidcInteractionMs),
  Grant: toSeconds(oidcInteractionMs),
}
