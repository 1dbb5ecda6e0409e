import { clientKey, oauthGrantKey, oauthRevokedTokenKey } from '../../kernel/table/keys/oauth-keys.ts'
import type { Table } from '../../kernel/table/table.ts'
import { toSeconds } from '../../kernel/util/time.ts'
import { type ClientRecord, clientKind, findClientId, readClientId } from './clients.records.ts'
import { type OAuthGrantRecord, oauthGrantCodec } from './grants.records.ts'
import { type ApiRights, apiRightsKey, decodeApiRights } from './protected-apis.records.ts'

interface TokenNames {
  readonly jti: string
  readonly clientId: string
  readonly audience: string
}

/** What an access token of a client depends on, apart from its session. */
export interface TokenState {
  readonly grant: OAuthGrantRecord
  readonly client: ClientRecord
  /** The API with the audience of the token, if there is one. */
  readonly api: ApiRights | undefined
}

/** Reads the grant, the client and the API of an access token in one call, or two if the client is named by an address. Undefined if one has ended, or the token was revoked. */
export const findTokenState = async (
  table: Table,
  { jti, clientId, audience }: TokenNames,
  nowMs: number,
): Promise<TokenState | undefined> => {
  const id = await findClientId(table, clientId)
  const [grantId = ''] = jti.split('.', 1)
  if (id === undefined || grantId === '') return undefined
  const items = await table.getMany([
    oauthGrantKey(grantId),
    clientKey(id),
    oauthRevokedTokenKey(jti),
    apiRightsKey(audience),
  ])
  const grant = oauthGrantCodec.decodeOptional(items[0])
  const client = clientKind.codec.decodeOptional(items[1])
  if (!grant || !client || items[2] || grant.expiresAt <= nowMs) return undefined
  const isSame = client.clientId === clientId && isGrantOf(client, grant)
  return isSame ? { grant, client, api: decodeApiRights(items[3]) } : undefined
}

/** Whether a grant is of this client, and not of one before it whose document has the same address. */
export const isGrantOf = (
  { clientId, createdAt }: Pick<ClientRecord, 'clientId' | 'createdAt'>,
  grant: Pick<OAuthGrantRecord, 'clientId' | 'createdAt'>,
): boolean => grant.clientId === clientId && createdAt <= grant.createdAt

/**
 * Reads a grant that was not deleted and has not expired, together with the API that a token is wanted for. Takes one table
 * call.
 */
export const findGrantWithApi = async (
  table: Table,
  grantId: string,
  audience: string | undefined,
  nowMs: number,
): Promise<Partial<Pick<TokenState, 'grant' | 'api'>>> => {
  const keys = [oauthGrantKey(grantId), ...(audience === undefined ? [] : [apiRightsKey(audience)])]
  const [grantItem, apiItem] = await table.getMany(keys)
  const grant = oauthGrantCodec.decodeOptional(grantItem)
  return grant && nowMs < grant.expiresAt ? { grant, api: decodeApiRights(apiItem) } : {}
}

/** Reads the client of a token that it got for itself, and the API, in one call. Undefined if it was deleted, or the token was revoked. */
export const findMachineClient = async (
  table: Table,
  { jti, clientId, audience }: TokenNames,
): Promise<Pick<TokenState, 'client' | 'api'> | undefined> => {
  const id = readClientId(clientId)
  if (id === undefined) return undefined
  const items = await table.getMany([clientKey(id), oauthRevokedTokenKey(jti), apiRightsKey(audience)])
  const client = clientKind.codec.decodeOptional(items[0])
  return !items[1] && client?.clientId === clientId ? { client, api: decodeApiRights(items[2]) } : undefined
}

/** Remembers until the token expires that it was revoked. */
export const revokeAccessToken = (table: Table, jti: string, expiresAtMs: number): Promise<void> =>
  table.put({ ...oauthRevokedTokenKey(jti), expires_at: toSeconds(expiresAtMs) })
