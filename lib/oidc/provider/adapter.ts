import type { Adapter, AdapterPayload } from 'oidc-provider'
import { findOidcClient } from '../../store/oidc/clients.ts'
import type { ModelAdapter } from './adapter-types.ts'
import { toClientMetadata } from './client-metadata.ts'
import { codes, refreshTokens } from './code-adapters.ts'
import { grants } from './grant-adapter.ts'
import { getRun } from './run.ts'
import { buildSessionPayload } from './sessions.ts'

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
