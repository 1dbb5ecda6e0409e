import type { Adapter, AdapterPayload } from 'oidc-provider'
import { findOidcClient } from '../../store/oidc/clients.ts'
import { findOidcGrant } from '../../store/oidc/grants.ts'
import type { ModelAdapter } from './adapter-types.ts'
import { toClientMetadata } from './client-metadata.ts'
import { codes, refreshTokens } from './code-adapters.ts'
import { endReusedGrant } from './reuse.ts'
import { getRun } from './run.ts'
import { buildSessionPayload } from './sessions.ts'

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
