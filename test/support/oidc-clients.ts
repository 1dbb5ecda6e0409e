import { mintCredential } from '../../lib/secrets/credentials.ts'
import type { Table } from '../../lib/store/engine/table.ts'
import {
  allocateOidcClientId,
  createClientId,
  createOidcClient,
  type OidcClient,
} from '../../lib/store/oidc/clients.ts'

/** Stores a client of OpenID Connect, without the checks of the operation that registers one. */
export const addOidcClient = async (
  table: Table,
  overrides: Partial<OidcClient> = {},
  limit = 1000,
): Promise<{ readonly client: OidcClient; readonly secret: string }> => {
  const id = await allocateOidcClientId(table)
  const { value, hash } = mintCredential('oidc_client_secret', id)
  const name = `client-${id}`
  const { type = 'confidential' } = overrides
  const fields = {
    name,
    normalizedName: name,
    clientId: createClientId(id),
    type,
    secrets: type === 'public' ? [] : [{ id: 1, hash, createdAt: Date.now(), expiresAt: null }],
    redirectUris: ['https://app.example/cb'],
    postLogoutRedirectUris: [],
    scopes: ['openid', 'profile', 'email', 'groups', 'permissions', 'offline_access'],
    audiences: [],
    permissions: [],
    machinePermissions: null,
    backchannelLogoutUri: null,
    accessTokenLifetimeMs: 600_000,
    idTokenLifetimeMs: 600_000,
    refreshTokenLifetimeMs: 86_400_000,
    createdBy: 1,
    createdAt: Date.now(),
    ...overrides,
  }
  return { client: await createOidcClient(table, id, fields, { limit, extraSteps: [] }), secret: value }
}
