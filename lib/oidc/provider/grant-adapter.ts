import { findOidcGrant } from '../../store/oidc/grants.ts'
import type { ModelAdapter } from './adapter-types.ts'
import { endReusedGrant } from './reuse.ts'
import { getRun } from './run.ts'

/** Grants are stored together with their code, so this adapter does not store any. */
export const grants: ModelAdapter = {
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
