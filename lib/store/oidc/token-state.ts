import { toSeconds } from '../../util/durations.ts'
import type { Table } from '../engine/table.ts'
import { oidcClientKey, oidcGrantKey, oidcRevokedTokenKey } from '../keys/oidc-keys.ts'
import { type OidcClient, oidcClientKind, readClientId } from './clients.ts'
import { type OidcGrantRecord, oidcGrantCodec } from './grants.ts'

interface TokenNames {
  readonly jti: string
  readonly clientId: string
}

/** What an access token of a client depends on, apart from its session. */
export interface TokenState {
  readonly grant: OidcGrantRecord
  readonly client: OidcClient
}

/** Reads the grant and the client of an access token in one call. Undefined if one has ended, or the token was revoked. */
export const findTokenState = async (
  table: Table,
  { jti, clientId }: TokenNames,
  nowMs: number,
): Promise<TokenState | undefined> => {
  const id = readClientId(clientId)
  const [grantId = ''] = jti.split('.', 1)
  if (id === undefined || grantId === '') return undefined
  const items = await table.getMany([oidcGrantKey(grantId), oidcClientKey(id), oidcRevokedTokenKey(jti)])
  const grant = oidcGrantCodec.decodeOptional(items[0])
  const client = oidcClientKind.codec.decodeOptional(items[1])
  if (!grant || !client || items[2] || grant.expiresAt <= nowMs) return undefined
  return client.clientId === clientId && grant.clientId === clientId ? { grant, client } : undefined
}

/** Reads the client of a token that it got for itself, in one call. Undefined if it was deleted, or the token was revoked. */
export const findMachineClient = async (
  table: Table,
  { jti, clientId }: TokenNames,
): Promise<OidcClient | undefined> => {
  const id = readClientId(clientId)
  if (id === undefined) return undefined
  const items = await table.getMany([oidcClientKey(id), oidcRevokedTokenKey(jti)])
  const client = oidcClientKind.codec.decodeOptional(items[0])
  return !items[1] && client?.clientId === clientId ? client : undefined
}

/** Remembers until the token expires that it was revoked. */
export const revokeAccessToken = (table: Table, jti: string, expiresAtMs: number): Promise<void> =>
  table.put({ ...oidcRevokedTokenKey(jti), expires_at: toSeconds(expiresAtMs) })
