import { type Adapter, type AdapterPayload, type ClientMetadata, errors } from 'oidc-provider'
import type { SessionPrincipal } from '../../accounts/common/principal.ts'
import { auditStep } from '../../accounts/common/request-context.ts'
import { consume } from '../../accounts/common/throttle.ts'
import type { Services } from '../../services.ts'
import { findOidcClient, type OidcClient, readClientId } from '../../store/oidc/clients.ts'
import { deleteOidcGrant, findOidcGrant, type OidcGrantRecord } from '../../store/oidc/grants.ts'
import { buildCompletionStep } from '../../store/oidc/interactions.ts'
import { buildAppUseSteps } from '../../store/oidc/session-apps.ts'
import { noteSessionClient } from '../../store/oidc/session-clients.ts'
import {
  findOidcToken,
  type OidcPayload,
  type OidcTokenKind,
  type OidcTokenRecord,
  storeOidcCode,
  storeOidcRefreshToken,
  useOidcToken,
} from '../../store/oidc/tokens.ts'
import { nameAuthenticationClass } from '../../tokens/authentication-class.ts'
import { nameMethods } from '../../tokens/authentication-methods.ts'
import { getSessionId } from '../../tokens/session-id.ts'
import { getInteractionEnd } from '../interactions.ts'
import { createExpiredError } from './expired-error.ts'
import { getRun, type ProviderRun } from './run.ts'

/** The ID of the client of a grant, as audit events name it. */
const nameClientTarget = ({ clientId }: Pick<OidcGrantRecord, 'clientId'>): string =>
  String(readClientId(clientId) ?? clientId)

/**
 * Ends a grant because one of its codes or refresh tokens was presented again: one of the two callers is a thief (RFC 9700
 * 4.14.2). The audit event is written once, however often the token is presented afterwards.
 */
const endReusedGrant = async ({ services, context, grant }: ProviderRun, id: string): Promise<void> => {
  const { table, now } = services
  const ending = grant?.id === id ? grant : await findOidcGrant(table, id, now())
  if (!ending) return
  const details = { user: ending.userId, target: nameClientTarget(ending) }
  await deleteOidcGrant(table, id, context ? [auditStep(context, 'oidc_client.token_reused', details)] : [])
}

/** The parts of an adapter that a model uses. */
type ModelAdapter = Partial<Adapter>

/** Returns a payload in the form that the table stores. Fields without a value are left out. */
const toStoredPayload = (payload: AdapterPayload): Record<string, unknown> =>
  JSON.parse(JSON.stringify(payload))

/** What codes and refresh tokens have in common. Each is used once, and a second use ends the grant with all its tokens. */
const oneTime = (kind: OidcTokenKind): ModelAdapter => ({
  find: async (value) => {
    const run = getRun()
    const { table, now } = run.services
    const found = await findOidcToken(table, kind, value)
    const payload = found && run.client && limitToClient(found.payload, run.client)
    if (!found || !payload) return undefined
    if (typeof payload['resource'] === 'string') run.resource = payload['resource']
    return { ...payload, jti: value, ...describeUse(found, now()) }
  },
  consume: async (value) => {
    const run = getRun()
    const { table, now } = run.services
    if (await useOidcToken(table, kind, value, now())) return
    // Another request used it between the read and this write.
    if (run.grant) await endReusedGrant(run, run.grant.id)
    throw new errors.InvalidGrant(`${kind} already used`)
  },
})

/**
 * A client gets no more than it may have now, even if it had more when the token was issued. Undefined if it no longer has the
 * address that a code was sent to. The library compares audiences, and who the client is.
 */
const limitToClient = (
  payload: OidcPayload,
  { redirectUris, scopes }: OidcClient,
): OidcPayload | undefined => {
  const { redirectUri, scope } = payload
  if (typeof redirectUri === 'string' && !redirectUris.includes(redirectUri)) return undefined
  if (typeof scope !== 'string') return payload
  return {
    ...payload,
    scope: scope
      .split(' ')
      .filter((name) => scopes.includes(name))
      .join(' '),
  }
}

const reusableSeconds = 60

/** The library refuses an expired token before it finds out that it was used. So a used one never expires for it. */
const describeUse = ({ usedAt }: Pick<OidcTokenRecord, 'usedAt'>, nowMs: number) =>
  usedAt === undefined
    ? {}
    : { consumed: Math.floor(usedAt / 1000), exp: Math.floor(nowMs / 1000) + reusableSeconds }

const codes: ModelAdapter = {
  ...oneTime('code'),
  upsert: async (value, payload, expiresIn = 0) => {
    const { services, grant, principal, context, interaction } = getRun()
    if (!grant || !principal || !context) throw new Error('A code without a grant was issued.')
    await consume(services, 'authorizationsPerSession', `${principal.session.userId} ${grant.sid}`)
    await noteClient(services, principal, grant.clientId)
    const { jti: _, ...stored } = toStoredPayload({ ...payload, sid: grant.sid })
    const expiresAt = services.now() + expiresIn * 1000
    const token = { grantId: grant.id, payload: stored, expiresAt }
    const target = nameClientTarget(grant)
    const audit = auditStep(context, 'oidc_client.authorized', { user: grant.userId, target })
    const completion =
      interaction &&
      buildCompletionStep(
        { id: interaction.id, expiresAt: getInteractionEnd(interaction) },
        createExpiredError,
      )
    const orElse = () => new errors.LoginRequired('the session has ended')
    await storeOidcCode(services.table, value, token, grant, [
      audit,
      ...(completion ? [completion] : []),
      ...buildAppUseSteps(principal.session, { ...describeAppUse(services, grant), orElse }),
    ])
  },
}

const describeAppUse = ({ now }: Services, { clientId, userId, scopes, ends }: OidcGrantRecord) => ({
  client: { clientId, subject: userId },
  ...{ scopes, ends, nowMs: now() },
})

const refreshTokens: ModelAdapter = {
  ...oneTime('refresh_token'),
  upsert: async (value, payload) => {
    const { services, grant, subject } = getRun()
    if (!grant || !subject) throw new Error('A refresh token without a grant was issued.')
    const { jti: _, ...stored } = toStoredPayload(payload)
    const token = { grantId: grant.id, payload: stored, expiresAt: grant.expiresAt }
    const useSteps = buildAppUseSteps(subject.session, describeAppUse(services, grant))
    if (!(await storeOidcRefreshToken(services.table, value, token, useSteps)))
      throw new errors.InvalidGrant('the grant has ended')
  },
}

/** Lets the client learn when the session ends. */
const noteClient = async (
  { table }: Services,
  { session, user, actor }: SessionPrincipal,
  clientId: string,
): Promise<void> => {
  const client = { clientId, subject: user.id }
  const outcome = await noteSessionClient(table, { session, owner: actor ?? user }, client)
  if (outcome === 'ended') throw new errors.LoginRequired('the session has ended')
  if (outcome === 'full') throw new errors.AccessDenied('the session has too many clients')
}

/** The library loads the session for the length of a request only. */
const payloadSeconds = 3600

/** How and when the user of a session proved who they are, in the words of the library. */
const describeLogin = (principal: SessionPrincipal) => {
  const { at, methods } = principal.session.authentication
  return {
    ts: Math.floor(at / 1000),
    amr: [...nameMethods(methods)],
    acr: nameAuthenticationClass(methods),
  }
}

/** The session that the library sees. It is derived from that of this service, and nothing of it is stored. */
const buildSessionPayload = (principal: SessionPrincipal, nowMs: number): AdapterPayload => {
  const { ts, amr, acr } = describeLogin(principal)
  const sid = getSessionId(principal)
  const now = Math.floor(nowMs / 1000)
  return {
    ...{ kind: 'Session', jti: sid, uid: sid, iat: now, exp: now + payloadSeconds },
    ...{ accountId: String(principal.user.id), loginTs: ts, amr, acr },
  }
}

/** Describes a client to the library (OpenID Connect Dynamic Client Registration 2). */
const toClientMetadata = (client: OidcClient): ClientMetadata => {
  const { clientId, name, type, redirectUris, scopes } = client
  return {
    client_id: clientId,
    client_name: name,
    redirect_uris: [...redirectUris],
    // Only native clients may register redirect addresses of apps.
    application_type: redirectUris.every((uri) => /^https?:/i.test(uri)) ? 'web' : 'native',
    response_types: ['code'],
    response_modes: ['query', 'form_post'],
    grant_types: [
      'authorization_code',
      ...(scopes.includes('offline_access') ? (['refresh_token'] as const) : []),
    ],
    scope: scopes.join(' '),
    id_token_signed_response_alg: 'RS256',
    token_endpoint_auth_method: type === 'public' ? 'none' : 'client_secret_basic',
    // The library requires a text. What a client sends is compared with the stored hash.
    ...(type === 'public' ? {} : { client_secret: 'stored as a hash' }),
  }
}

/** Grants are stored together with their code, so this adapter does not store any. */
const grants: ModelAdapter = {
  find: async (id) => {
    const run = getRun()
    const { table, now } = run.services
    const grant = await findOidcGrant(table, id, now())
    if (!grant) return undefined
    run.grant = grant
    // A scope that was taken from the client counts no longer.
    const scope = grant.scopes.filter((name) => run.client?.scopes.includes(name)).join(' ')
    return {
      ...{ kind: 'Grant', jti: grant.id, accountId: String(grant.userId), clientId: grant.clientId },
      ...{ iat: Math.floor(grant.createdAt / 1000), exp: Math.floor(grant.expiresAt / 1000) },
      openid: { scope },
      ...(run.resource === undefined ? {} : { resources: { [run.resource]: scope } }),
    }
  },
  // The library only does this after a used code or refresh token was presented again.
  destroy: async (id) => endReusedGrant(getRun(), id),
}

const clients: ModelAdapter = {
  find: async (clientId) => {
    const run = getRun()
    const client = await findOidcClient(run.services.table, clientId)
    if (!client) return undefined
    run.client = client
    // The library types metadata of clients apart from payloads.
    return toClientMetadata(client) as AdapterPayload
  },
}

const sessions: ModelAdapter = {
  find: async () => {
    const { principal, services } = getRun()
    return principal && buildSessionPayload(principal, services.now())
  },
}

const adapters = new Map<string, ModelAdapter>(
  Object.entries({
    Client: clients,
    Session: sessions,
    Grant: grants,
    AuthorizationCode: codes,
    RefreshToken: refreshTokens,
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
