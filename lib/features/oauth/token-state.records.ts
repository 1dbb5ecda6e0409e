import { connectionKey, signInPolicyKey } from '../../kernel/table/keys/keys.ts'
import { clientKey, oauthRevokedTokenKey } from '../../kernel/table/keys/oauth-keys.ts'
import { organizationKey } from '../../kernel/table/keys/organization-keys.ts'
import type { Table } from '../../kernel/table/table.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { toSeconds } from '../../kernel/util/time.ts'
import { type Connection, decodeConnection } from '../connections/records.ts'
import { decodeOrganization, type OrganizationRecord } from '../organizations/records.ts'
import { type StoredSignInPolicy, signInPolicyCodec } from '../sign-in/policy.records.ts'
import {
  type ClientRecord,
  clientKind,
  findClientId,
  forgetId,
  getsOrganizations,
} from './clients.records.ts'
import { decodeOAuthGrant, listGrantKeys, type OAuthGrantRecord } from './grants.records.ts'
import { type ApiRights, apiRightsKey, decodeApiRights } from './protected-apis.records.ts'

interface TokenNames {
  readonly jti: string
  readonly clientId: string
  /** Undefined for a token that no API takes. */
  readonly audience: string | undefined
  /** A client that this request has read already. It is not read again: many requests of one client share its item. */
  readonly asker?: ClientRecord | undefined
}

/** What an access token of a client depends on, apart from its session. */
export interface TokenState {
  readonly grant: OAuthGrantRecord
  readonly client: ClientRecord
  /** The API with the audience of the token, if there is one. */
  readonly api: ApiRights | undefined
}

/** Reads the grant, the client and the API of an access token in one call, or two if the client has to be looked up. Undefined if one has ended, or the token was revoked. */
export const findTokenState = async (
  table: Table,
  { jti, clientId, audience, asker }: TokenNames,
  nowMs: number,
): Promise<TokenState | undefined> => {
  const known = asker?.clientId === clientId ? asker : undefined
  const id = known?.id ?? (await findClientId(table, clientId))
  const [grantId = ''] = jti.split('.', 1)
  if (id === undefined || grantId === '') return undefined
  const grantKeys = listGrantKeys(grantId)
  const items = await table.getMany([
    ...grantKeys,
    oauthRevokedTokenKey(jti),
    ...(audience === undefined ? [] : [apiRightsKey(audience)]),
    ...(known ? [] : [clientKey(id)]),
  ])
  const grant = decodeOAuthGrant(items.slice(0, grantKeys.length), nowMs)
  const [revocation, ...others] = items.slice(grantKeys.length)
  const api = audience === undefined ? undefined : others[0]
  const client = known ?? clientKind.codec.decodeOptional(others.at(-1))
  if (!client) forgetId(table, clientId)
  if (!grant || !client || revocation) return undefined
  const isSame = client.clientId === clientId && isGrantOf(client, grant)
  return isSame ? { grant, client, api: decodeApiRights(api) } : undefined
}

/**
 * Whether a grant is of this client, and not of one before it whose document has the same address. It ends if the client must not
 * have tokens for an organization any more, or none without one.
 */
export const isGrantOf = (
  client: Pick<ClientRecord, 'clientId' | 'createdAt' | 'organizations' | 'scopes'>,
  grant: Pick<OAuthGrantRecord, 'clientId' | 'createdAt' | 'organizationId'>,
): boolean =>
  grant.clientId === client.clientId &&
  client.createdAt <= grant.createdAt &&
  (grant.organizationId === undefined ? client.organizations !== 'required' : getsOrganizations(client))

/**
 * Reads a grant that was not deleted and has not expired, together with the API that a token is wanted for. If a hook may be asked, it also
 * reads the policy that says whether the hook is off. Takes one table call.
 */
export const findGrantWithApi = async (
  table: Table,
  grantId: string,
  { audience, asksHook }: { readonly audience: string | undefined; readonly asksHook: boolean },
  nowMs: number,
): Promise<Partial<Pick<TokenState, 'grant' | 'api'>> & { readonly policy?: StoredSignInPolicy }> => {
  const grantKeys = listGrantKeys(grantId)
  const items = await table.getMany([
    ...grantKeys,
    ...(audience === undefined ? [] : [apiRightsKey(audience)]),
    ...(asksHook ? [signInPolicyKey] : []),
  ])
  const grant = decodeOAuthGrant(items.slice(0, grantKeys.length), nowMs)
  if (!grant) return {}
  const others = items.slice(grantKeys.length)
  const policy = asksHook ? signInPolicyCodec.decodeOptional(others.pop()) : undefined
  return { grant, api: decodeApiRights(others[0]), ...omitUndefined({ policy }) }
}

/** Reads the client of a token that it got for itself, the API, and the organization if it is for one, in one call. Undefined if it was deleted, or the token was revoked. */
export const findMachineClient = async (
  table: Table,
  {
    jti,
    clientId,
    audience,
    asker,
    organizationId,
  }: TokenNames & { readonly audience: string; readonly organizationId: string | undefined },
): Promise<
  (Pick<TokenState, 'client' | 'api'> & { readonly organization: OrganizationRecord | undefined }) | undefined
> => {
  const known = asker?.clientId === clientId ? asker : undefined
  const id = known?.id ?? (await findClientId(table, clientId))
  if (id === undefined) return undefined
  const [revocation, api, ...others] = await table.getMany([
    ...[oauthRevokedTokenKey(jti), apiRightsKey(audience)],
    ...(organizationId === undefined ? [] : [organizationKey(Number(organizationId))]),
    ...(known ? [] : [clientKey(id)]),
  ])
  const client = known ?? clientKind.codec.decodeOptional(others.at(-1))
  if (!client) forgetId(table, clientId)
  if (revocation || client?.clientId !== clientId) return undefined
  const organization = organizationId === undefined ? undefined : decodeOrganization(others[0])
  return { client, api: decodeApiRights(api), organization }
}

/** Reads the client of a token for a directory, and the connection, in one call. Undefined if the client was deleted, or the token was revoked. */
export const findClientAndConnection = async (
  table: Table,
  { jti, clientId, connectionId }: Pick<TokenNames, 'jti' | 'clientId'> & { readonly connectionId: number },
): Promise<{ readonly client: ClientRecord; readonly connection: Connection | undefined } | undefined> => {
  const id = await findClientId(table, clientId)
  if (id === undefined) return undefined
  const [revocation, storedClient, connection] = await table.getMany([
    oauthRevokedTokenKey(jti),
    clientKey(id),
    connectionKey(connectionId),
  ])
  const client = clientKind.codec.decodeOptional(storedClient)
  if (!client) forgetId(table, clientId)
  if (revocation || client?.clientId !== clientId) return undefined
  return { client, connection: decodeConnection(connection) }
}

/** Remembers until the token expires that it was revoked. */
export const revokeAccessToken = (table: Table, jti: string, expiresAtMs: number): Promise<void> =>
  table.put({ ...oauthRevokedTokenKey(jti), expires_at: toSeconds(expiresAtMs) })
