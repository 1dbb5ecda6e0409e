import type { Grant, KoaContextWithOIDC } from 'oidc-provider'
import { oidcCodeMs } from '../../limits/limits.ts'
import type { OidcClient } from '../../store/oidc/clients.ts'
import { createGrantId } from '../../store/oidc/grants.ts'
import { findSessionApp } from '../../store/oidc/session-apps.ts'
import { getCredentialEnd } from '../../tokens/credential-end.ts'
import { getSessionId } from '../../tokens/session-id.ts'
import { getRun } from './run.ts'

/**
 * Grants what a client asks for. There is no consent page, because administrators register the clients. Each authorization
 * has a grant of its own, which is stored when a code is issued.
 */
export const buildGrant = async (ctx: KoaContextWithOIDC): Promise<Grant | undefined> => {
  const run = getRun()
  const { principal, client, services } = run
  const { session } = ctx.oidc
  if (!principal || !client || !session) return undefined
  const scopes = [...ctx.oidc.requestParamScopes].filter((scope) => client.scopes.includes(scope))
  const id = createGrantId()
  const sid = getSessionId(principal)
  const createdAt = services.now()
  run.grant = {
    ...{ id, sid, scopes, createdAt, clientId: client.clientId, userId: principal.user.id },
    ends:
      findSessionApp(principal.session, { clientId: client.clientId, subject: principal.user.id })?.ends ?? 0,
    session: { userId: principal.session.userId, hash: principal.session.hash },
    expiresAt: Math.min(createdAt + getGrantLifetime(client, scopes), getCredentialEnd(services, principal)),
  }
  const grant = new ctx.oidc.provider.Grant({
    accountId: String(principal.user.id),
    clientId: client.clientId,
  })
  grant.jti = id
  grant.addOIDCScope(scopes.join(' '))
  for (const resource of Object.keys(ctx.oidc.resourceServers ?? {}))
    grant.addResourceScope(resource, scopes.join(' '))
  session.sidFor(client.clientId, sid)
  return grant
}

/** Without a refresh token, the grant has to last as long as the access token that its code gives. */
const getGrantLifetime = (client: OidcClient, scopes: readonly string[]): number =>
  scopes.includes('offline_access')
    ? client.refreshTokenLifetimeMs
    : oidcCodeMs + client.accessTokenLifetimeMs
