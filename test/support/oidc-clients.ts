import { newClient } from '../../lib/features/oauth/clients.models.ts'
import {
  allocateClientId,
  type ClientRecord,
  createClientId,
  createClientRecord,
} from '../../lib/features/oauth/clients.records.ts'
import { newProtectedApi } from '../../lib/features/oauth/protected-apis.models.ts'
import {
  createProtectedApi,
  editProtectedApi,
  findApiRights,
  findProtectedApi,
  type ProtectedApi,
} from '../../lib/features/oauth/protected-apis.records.ts'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import type { Table } from '../../lib/kernel/table/table.ts'

export interface ClientOverrides extends Partial<ClientRecord> {
  /** APIs that the client may ask for. Missing ones are registered, and know all permissions of the client. */
  readonly audiences?: readonly string[]
}

/** Stores a client of OpenID Connect, without the checks of the operation that registers one. */
export const addStoredClient = async (
  table: Table,
  { audiences = [], ...overrides }: ClientOverrides = {},
  limit = 1000,
): Promise<{ readonly client: ClientRecord; readonly secret: string }> => {
  const known = [...(overrides.permissions ?? []), ...(overrides.machine_permissions ?? [])]
  const apis = await Promise.all(
    audiences.map(async (audience) => {
      const { id } = await ensureApi(table, audience, { permissions: known })
      return { id, audience, scopes: [] }
    }),
  )
  const id = await allocateClientId(table)
  const { value, hash } = mintCredential('oidc_client_secret', id)
  const name = `client-${id}`
  const { type = 'confidential' } = overrides
  const fields = {
    ...newClient,
    name,
    normalizedName: name,
    clientId: createClientId(id),
    type,
    secrets: type === 'public' ? [] : [{ id: 1, hash, createdAt: Date.now(), expiresAt: null }],
    redirect_uris: ['https://app.example/cb'],
    scopes: ['openid', 'profile', 'email', 'groups', 'permissions', 'offline_access'] as const,
    apis,
    refresh_token_lifetime: 86_400,
    createdBy: 1,
    createdAt: Date.now(),
    ...overrides,
  }
  return { client: await createClientRecord(table, id, fields, { limit, extraSteps: [] }), secret: value }
}

interface ApiParts {
  /** The audience if there is none. */
  readonly name?: string
  readonly permissions?: readonly string[]
  readonly scopes?: Readonly<Record<string, readonly string[]>>
}

/** Registers an API, or adds permissions and scopes to the one with this audience. */
export const ensureApi = async (
  table: Table,
  audience: string,
  { name = audience, permissions = [], scopes = {} }: ApiParts = {},
): Promise<ProtectedApi> => {
  const [rights] = await findApiRights(table, [audience])
  const known = rights && (await findProtectedApi(table, rights.id))
  const names = new Set([...(rights?.permissions ?? []), ...permissions, ...Object.values(scopes).flat()])
  const fields = {
    permissions: [...names].map((name) => ({ name, texts: { en: name } })),
    scopes: [
      ...(known?.scopes ?? []).filter(({ name }) => !Object.hasOwn(scopes, name)),
      ...Object.entries(scopes).map(([name, carried]) => ({
        name,
        texts: { en: name },
        permissions: carried,
      })),
    ],
  }
  if (known) return editProtectedApi(table, known, fields, [])
  const record = {
    name,
    normalizedName: name.toLowerCase(),
    audience,
    ...newProtectedApi,
    ...fields,
    createdBy: 1,
    createdAt: Date.now(),
  }
  return createProtectedApi(table, record, { limit: 1000, buildSteps: () => [] })
}
