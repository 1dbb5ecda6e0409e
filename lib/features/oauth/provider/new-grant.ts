import type { Grant, KoaContextWithOIDC } from 'oidc-provider'
import { oauthCodeMs } from '../../../kernel/limits/limits.ts'
import { createGrantRecord } from '../grants.ts'
import { listScopes } from '../resources.ts'
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
  // The library names one resource, because an access token is for one.
  const [resource] = Object.keys(ctx.oidc.resourceServers ?? {})
  const allowed = listScopes(client, resource)
  const scopes = [...ctx.oidc.requestParamScopes].filter((scope) => allowed.includes(scope))
  run.grant = createGrantRecord(services, principal, client, {
    scopes,
    origin: 'browser',
    codeMs: oauthCodeMs,
  })
  const grant = new ctx.oidc.provider.Grant({
    accountId: String(principal.user.id),
    clientId: client.clientId,
  })
  grant.jti = run.grant.id
  grant.addOIDCScope(scopes.join(' '))
  if (resource !== undefined) grant.addResourceScope(resource, scopes.join(' '))
  session.sidFor(client.clientId, run.grant.sid)
  return grant
}
