import { type Adapter, type AdapterPayload, type ClientMetadata, errors } from 'oidc-provider'
import type { SessionPrincipal } from '../../../accounts/callers/principal.ts'
import { AppError } from '../../../kernel/errors/errors.ts'
import { oauthPushedRequestMs } from '../../../kernel/limits/limits.ts'
import { getUserinfoAudience } from '../../../kernel/settings/jwt-audiences.ts'
import { isHookOff } from '../../sign-in/policy.records.ts'
import { statesAny } from '../added-claims.ts'
import { storePushedRequest } from '../authorization-requests.records.ts'
import { findDocumentClient } from '../client-documents.ts'
import { type ClientRecord, findClient, isDocumentAddress } from '../clients.records.ts'
import { countStart } from '../count-start.ts'
import { readDocumentAddress } from '../document-address.ts'
import { describeLogin } from '../grants.ts'
import { isApiOf, listResources, listScopes } from '../resources.ts'
import { findGrantWithApi, isGrantOf } from '../token-state.records.ts'
import { getSessionId } from '../tokens/claims.ts'
import { noteProof } from '../tokens.records.ts'
import { deviceCodes } from './device-codes.ts'
import { codes, endReusedGrant, type ModelAdapter } from './one-time-tokens.ts'
import { refreshTokens } from './refresh-tokens.ts'
import { getRun, type ProviderRun } from './run.ts'

/** The library loads the session for the length of a request only. */
const payloadSeconds = 3600

/** The session that the library sees. It is derived from that of this service, and nothing of it is stored. */
const buildSessionPayload = (principal: SessionPrincipal, nowMs: number): AdapterPayload => {
  const { ts, amr, acr } = describeLogin(principal)
  const sid = getSessionId(principal)
  const now = Math.floor(nowMs / 1000)
  return {
    kind: 'Session',
    jti: sid,
    uid: sid,
    iat: now,
    exp: now + payloadSeconds,
    accountId: String(principal.user.id),
    loginTs: ts,
    amr,
    acr,
  }
}

/** Apps ask for these by habit, so a client that may not have them gets a token without them instead of an error: grants have only its scopes. */
const leftOutScopes = ['phone', 'address'] as const

const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code'

interface ClientState {
  readonly isDirectory: boolean
  readonly isPushed: boolean
  /** Whether an assertion proved who the client is. */
  readonly isProven: boolean
  readonly isTrial: boolean
}

/** Describes a client to the library (OpenID Connect Dynamic Client Registration 2). */
const toClientMetadata = (
  client: ClientRecord,
  { isDirectory, isPushed, isProven, isTrial }: ClientState,
): ClientMetadata => {
  const { clientId, name, type, redirect_uris: redirectUris, scopes } = client
  const signsIn = redirectUris.length > 0
  const provesItself = type === 'confidential' || isProven
  return {
    client_id: clientId,
    client_name: name,
    redirect_uris: [...redirectUris],
    // Only native clients may register redirect addresses of apps.
    application_type: redirectUris.every((uri) => /^https?:/i.test(uri)) ? 'web' : 'native',
    response_types: signsIn ? ['code'] : [],
    response_modes: ['query', 'form_post'],
    grant_types: [
      ...(signsIn ? (['authorization_code'] as const) : []),
      ...(client.machine_permissions || isDirectory ? (['client_credentials'] as const) : []),
      ...(client.device_authorization ? [deviceGrantType] : []),
      ...(scopes.includes('offline_access') ? (['refresh_token'] as const) : []),
    ],
    scope: [...scopes, ...leftOutScopes].join(' '),
    id_token_signed_response_alg: 'RS256',
    // Parameters that were pushed reach the library like those of any browser.
    ...(client.requires_par && !isPushed ? { require_pushed_authorization_requests: true } : {}),
    ...(client.requires_dpop && !isTrial ? { dpop_bound_access_tokens: true } : {}),
    token_endpoint_auth_method: provesItself ? 'client_secret_basic' : 'none',
    // The library requires a text. What a client sends is compared with the stored hash.
    ...(provesItself ? { client_secret: 'stored as a hash' } : {}),
  }
}

/** Grants are stored together with their code, so this adapter does not store any. */
const grants: ModelAdapter = {
  find: async (id) => {
    const run = getRun()
    const { client, resource, services } = run
    const asked = client && resource ? listResources(services.config, client).get(resource) : undefined
    // No API has this audience. All tokens without an API share it, so reading it would make a busy key.
    const audience = asked === getUserinfoAudience(services.config.publicUrl) ? undefined : asked
    const { claims = [] } = services.config.hooks?.beforeToken ?? {}
    const asksHook = client !== undefined && statesAny(claims, client.scopes)
    const state = await findGrantWithApi(services.table, id, { audience, asksHook }, services.now())
    const { grant, api, policy } = state
    if (!grant || !client || !isGrantOf(client, grant)) return undefined
    run.grant = grant
    run.asksHook = asksHook && !isHookOff(policy, 'beforeToken')
    if (audience !== undefined && isApiOf(client, audience, api)) run.api = api
    // A scope that was taken from the client counts no longer.
    const allowed = listScopes(client, resource)
    const scope = grant.scopes.filter((name) => allowed.includes(name)).join(' ')
    return {
      kind: 'Grant',
      jti: grant.id,
      accountId: String(grant.userId),
      clientId: grant.clientId,
      iat: Math.floor(grant.createdAt / 1000),
      exp: Math.floor(grant.expiresAt / 1000),
      openid: { scope },
      ...(resource !== undefined && { resources: { [resource]: scope } }),
    }
  },
  // The library only does this after a used code or refresh token was presented again.
  destroy: async (id) => endReusedGrant(getRun(), id),
}

/** Documents are read for authorizations. Later requests of a client use what was stored, while its host is allowed. */
const loadClient = async (run: ProviderRun, clientId: string): Promise<ClientRecord | undefined> => {
  const { services, context, parameters, principal, browser } = run
  if (!isDocumentAddress(clientId)) return findClient(services.table, clientId)
  if (context && parameters) {
    const reader = { context, principal }
    return findDocumentClient(services, reader, clientId).catch((error: unknown) => {
      const isTooMany = error instanceof AppError && error.code === 'too_many_requests'
      if (!isTooMany || principal || browser === undefined) throw error
      run.unread = error
      return undefined
    })
  }
  const { address } = await readDocumentAddress(services, clientId)
  return address && findClient(services.table, clientId)
}

const clients: ModelAdapter = {
  find: async (clientId) => {
    const run = getRun()
    const { provenClient } = run
    const isProven = provenClient?.clientId === clientId
    const client = isProven ? provenClient : await loadClient(run, clientId)
    if (!client) return undefined
    run.client = client
    // The library types metadata of clients apart from payloads.
    const isPushed = run.wasPushed === true || run.interaction !== undefined
    const isDirectory = isProven && run.directory !== undefined
    const state = { isDirectory, isPushed, isProven, isTrial: run.isTrial === true }
    return toClientMetadata(client, state) as AdapterPayload
  },
}

const sessions: ModelAdapter = {
  find: async () => {
    const { principal, services } = getRun()
    return principal && buildSessionPayload(principal, services.now())
  },
}

/** Only what the client sent is kept. The library would add a token without a signature. */
const pushedRequests: ModelAdapter = {
  upsert: async (value, { dpopJkt }) => {
    const { services, client, context, parameters: sent } = getRun()
    if (!client || !context || !sent) throw new Error('A request without a client was pushed.')
    // Anyone can name a public client.
    if (client.type === 'public') await countStart(services, context)
    const expiresAt = services.now() + oauthPushedRequestMs
    // The key that the request was proven with (RFC 9449 10.1).
    const parameters = typeof dpopJkt === 'string' ? { ...sent, dpop_jkt: dpopJkt } : sent
    await storePushedRequest(services.table, value, { clientId: client.clientId, parameters, expiresAt })
  },
}

/** Proofs of keys. The library notes each one that it has not found, under a hash. */
const proofs: ModelAdapter = {
  upsert: async (jti, _payload, expiresIn = 0) => {
    const { services, client } = getRun()
    const proof = { clientId: client?.clientId ?? '', jti }
    if (!(await noteProof(services.table, 'dpop', proof, services.now() + expiresIn * 1000)))
      throw new errors.InvalidGrant('DPoP proof JWT Replay detected')
  },
}

const adapters = new Map<string, ModelAdapter>(
  Object.entries({
    Client: clients,
    Session: sessions,
    Grant: grants,
    AuthorizationCode: codes,
    DeviceCode: deviceCodes,
    PushedAuthorizationRequest: pushedRequests,
    RefreshToken: refreshTokens,
    ReplayDetection: proofs,
  }),
)

const nothing = async (): Promise<undefined> => undefined

/** Stores what the library keeps between requests. What a model does not store is not kept. */
export const createAdapter = (model: string): Adapter => ({
  upsert: nothing,
  find: nothing,
  findByUid: nothing,
  findByUserCode: nothing,
  consume: nothing,
  destroy: nothing,
  // Everything of a grant ends with the grant itself.
  revokeByGrantId: nothing,
  ...adapters.get(model),
})
