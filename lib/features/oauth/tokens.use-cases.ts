import { countFailedLookup } from '../../accounts/callers/throttle.ts'
import type { UseCase } from '../../http/use-case.ts'
import { toGuestAudience } from '../../kernel/settings/jwt-audiences.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import { describeOrganizationCaller, findOrganizationCaller } from '../organizations/find-token.ts'
import { detectCredentialKind } from '../sign-in/authentication.ts'
import { addClaims } from './added-claims.ts'
import { authenticateClient, proveClient, readClientProof, refuseClient } from './authenticate-client.ts'
import { listPageOrigins } from './client-uris.ts'
import type { ClientRecord } from './clients.records.ts'
import { findDirectoryOf } from './directory-tokens.ts'
import { findTokenSubject } from './find-token-subject.ts'
import { OAuthError, TokenResponse } from './flow.models.ts'
import { deleteOAuthGrants } from './grants.records.ts'
import { findGrantSubject, findRefreshToken } from './grants.ts'
import { findMachine } from './machine-tokens.ts'
import type { oidc } from './operations.ts'
import { findApiRights } from './protected-apis.records.ts'
import { providerPaths } from './provider/provider-paths.ts'
import type { ProviderRun } from './provider/run.ts'
import { describeRefreshing, limitToToken } from './token-claims.ts'
import { isGrantOf, revokeAccessToken } from './token-state.records.ts'
import { buildUserClaims } from './tokens/claims.ts'
import { verifyAccessToken, verifyMachineToken } from './tokens/verify-access-token.ts'
import type { Introspection } from './tokens.models.ts'

/**
 * Gives tokens to a client. Codes and secrets cannot be guessed, so good ones are served at any time, and only failures
 * count against the network of the caller.
 */
export const issueTokens: UseCase<typeof oidc.issueTokens> = async (
  { body, authorizationHeader, dpopHeader, context },
  services,
) => {
  const { runProvider } = await import('./provider/run-provider.ts')
  const proven = await proveClient(services, body, { authorizationHeader, context })
  if (!proven) return refuseClient(services, context)
  const { form, provenClient } = proven
  const { organization, organization_id } = body
  const named = { organization, organization_id }
  const directory = provenClient && (await findDirectoryOf(services, provenClient, body))
  const run: ProviderRun = { services, context, provenClient, directory, named }
  const response = await runProvider(run, {
    method: 'POST',
    path: providerPaths.token,
    form,
    authorizationHeader,
    dpopHeader,
  })
  const content: unknown = JSON.parse(response.body)
  if (response.status === 200) {
    const readableFrom = run.client && listPageOrigins(run.client)
    const former = omitUndefined({ former_refresh_token: run.formerRefreshToken })
    const tokens = { ...TokenResponse.parse(content), ...former }
    return { status: 200, body: tokens, headers: noStore, readableFrom }
  }
  const refusal = OAuthError.parse(content)
  if (refusal.error === 'invalid_client' || refusal.error === 'invalid_grant')
    await countFailedLookup(services, context)
  const client = run.client?.clientId
  services.log.warn('oidc.tokens_refused', { request_id: context.requestId, client, ...run.tokenError })
  const isEnded = refusal.error === 'invalid_grant' && body.grant_type === 'refresh_token'
  const error = isEnded ? { ...refusal, error_description: endedRefreshToken } : refusal
  const challenge = response.headers['www-authenticate']
  return response.status === 401
    ? {
        status: 401,
        body: error,
        headers: { ...noStore, ...(challenge ? { 'www-authenticate': challenge } : {}) },
      }
    : { status: 400, body: error, headers: noStore }
}

/** What a client is to do if a refresh token no longer works. Why it does not is said to nobody. */
const endedRefreshToken =
  'the refresh token has expired, was not used for too long or was replaced, or the session of the user has ended: sign the user in again'

/** RFC 6749 5.1. */
const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' }

/**
 * Returns whether a token still works (RFC 7662). A client learns about its own tokens, and about access tokens for its
 * APIs. Every other token is not active, whether it exists or not.
 */
export const introspectToken: UseCase<typeof oidc.introspectToken> = async (
  { body, authorizationHeader, context },
  services,
) => {
  const client = await authenticateClient(services, readClientProof(body, authorizationHeader), context)
  // Anyone can name a public client.
  if (client?.type !== 'confidential') return refuseClient(services, context)
  const found =
    (await describeAccessToken(services, client, body.token)) ??
    (await describeOrganizationToken(services, client, body.token)) ??
    (await describeMachineToken(services, client, body.token)) ??
    (await describeRefreshToken(services, client, body.token))
  return { status: 200, body: found ?? { active: false } }
}

/** The APIs whose tokens a client may ask about. An agent that describes itself is the server of none. */
const listServed = ({ apis, document }: ClientRecord): readonly string[] =>
  document ? [] : apis.map(({ audience }) => audience)

const describeAccessToken = async (
  services: Services,
  client: ClientRecord,
  token: string,
): Promise<Introspection | undefined> => {
  const claims = await verifyAccessToken(services, token, undefined)
  if (!claims) return undefined
  const isOwn = claims.client_id === client.clientId
  const isForClient = listServed(client).some((name) => [name, toGuestAudience(name)].includes(claims.aud))
  if (!isOwn && !isForClient) return undefined
  const subject = await findTokenSubject(services, claims, client)
  if (!subject) return undefined
  const { principal, rights } = subject
  const user = limitToToken(principal, await buildUserClaims(services, principal), { stated: claims, rights })
  const described: Introspection = {
    active: true,
    sub: user.sub,
    aud: claims.aud,
    iss: services.config.publicUrl,
    client_id: claims.client_id,
    jti: claims.jti,
    iat: claims.iat,
    exp: claims.exp,
    token_type: claims.cnf ? 'DPoP' : 'Bearer',
    groups: [...user.groups],
    permissions: [...user.permissions],
    ...omitUndefined({
      user_id: user.user_id,
      org_id: user.org_id,
      org_slug: user.org_slug,
      org_name: user.org_name,
      org_roles: user.org_roles && [...user.org_roles],
      org_permissions: user.org_permissions && [...user.org_permissions],
      username: user.preferred_username,
      scope: rights?.scopes.join(' '),
      sid: user.sid,
      amr: user.amr && [...user.amr],
      acr: user.acr,
      auth_time: user.auth_time,
      act: user.act,
      access_link: user.access_link,
      cnf: claims.cnf,
    }),
  }
  // The client that asks reads the answer, which need not be the one that has the token.
  return rights
    ? addClaims(services, 'introspection', { ...rights, client }, principal, described)
    : described
}

const describeMachineToken = async (
  services: Services,
  client: ClientRecord,
  token: string,
): Promise<Introspection | undefined> => {
  const claims = await verifyMachineToken(services, token, undefined)
  const isKnown =
    claims?.client_id === client.clientId || listServed(client).some((audience) => audience === claims?.aud)
  const machine = claims && isKnown ? await findMachine(services, claims, client) : undefined
  if (!claims || !machine) return undefined
  const { sub, aud, client_id, jti, iat, exp, scope, cnf } = claims
  return {
    active: true,
    sub,
    aud,
    client_id,
    jti,
    iat,
    exp,
    iss: services.config.publicUrl,
    token_type: claims.cnf ? 'DPoP' : 'Bearer',
    permissions: [...machine.permissions.permissions],
    ...machine.organization,
    ...omitUndefined({
      org_permissions: machine.permissions.org_permissions && [...machine.permissions.org_permissions],
      scope: scope && machine.scopes.join(' '),
      cnf,
    }),
  }
}

/** An API token of an organization: for servers of APIs, which learn what their APIs know. */
const describeOrganizationToken = async (
  services: Services,
  client: ClientRecord,
  token: string,
): Promise<Introspection | undefined> => {
  if (detectCredentialKind(token) !== 'organization_token') return undefined
  const served = listServed(client)
  const caller = served.length > 0 ? await findOrganizationCaller(services, token) : undefined
  if (!caller) return undefined
  const apis = await findApiRights(services.table, served)
  const { org_permissions: permissions = [], ...claims } = describeOrganizationCaller(caller)
  const { createdAt, expiresAt } = caller.token
  return {
    active: true,
    ...claims,
    iss: services.config.publicUrl,
    token_type: 'Bearer',
    permissions: [],
    org_permissions: permissions.filter((name) => apis.some((api) => api?.permissions.includes(name))),
    iat: Math.floor(createdAt / 1000),
    ...omitUndefined({ exp: expiresAt === undefined ? undefined : Math.floor(expiresAt / 1000) }),
  }
}

const describeRefreshToken = async (
  services: Services,
  client: ClientRecord,
  token: string,
): Promise<Introspection | undefined> => {
  const found = await findRefreshToken(services, token)
  if (!found || !isGrantOf(client, found.grant) || found.token.usedAt !== undefined) return undefined
  const { grant, token: stored } = found
  const principal = stored.expiresAt > services.now() ? await findGrantSubject(services, grant) : undefined
  if (!principal) return undefined
  const scopes = grant.scopes.filter((name) => client.scopes.includes(name))
  return {
    active: true,
    client_id: grant.clientId,
    ...describeRefreshing(principal.user, { client, scopes }),
    scope: scopes.join(' '),
    iss: services.config.publicUrl,
    iat: Math.floor(grant.createdAt / 1000),
    exp: Math.floor(stored.expiresAt / 1000),
  }
}

/**
 * Revokes a token of the client (RFC 7009). An access token ends alone, a refresh token with everything of its authorization. A
 * token that has ended, and any other text, is a success as well.
 */
export const revokeToken: UseCase<typeof oidc.revokeToken> = async (
  { body, authorizationHeader, context },
  services,
) => {
  const client = await authenticateClient(services, readClientProof(body, authorizationHeader), context)
  if (!client) return refuseClient(services, context)
  const claims =
    (await verifyAccessToken(services, body.token, undefined)) ??
    (await verifyMachineToken(services, body.token, undefined))
  if (claims) {
    if (claims.client_id !== client.clientId) return refuseForeign()
    await revokeAccessToken(services.table, claims.jti, claims.exp * 1000)
    return { status: 200, body: {} }
  }
  const found = await findRefreshToken(services, body.token)
  if (!found) return { status: 200, body: {} }
  if (found.grant.clientId !== client.clientId) return refuseForeign()
  await deleteOAuthGrants(services.table, found.grant)
  return { status: 200, body: {} }
}

/** RFC 7009 2.1. */
const refuseForeign = () => ({
  status: 400 as const,
  body: {
    error: 'unauthorized_client',
    error_description: 'The token was issued to another client.',
  } satisfies OAuthError,
})
