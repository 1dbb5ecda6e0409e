import type { Config } from '../../kernel/settings/config.ts'
import { getUserinfoAudience } from '../../kernel/settings/jwt-audiences.ts'
import type { ClientApi, ClientRecord } from './clients.records.ts'
import type { ApiRights } from './protected-apis.records.ts'

type ClientApis = Pick<ClientRecord, 'apis' | 'scopes'>

/** The library only accepts URIs, so other audiences of APIs are written as URIs in requests. */
export const toResource = (audience: string): string =>
  URL.canParse(audience) ? audience : `urn:latchkey:audience:${encodeURIComponent(audience)}`

/** The audiences that a client may ask for, by the `resource` that names each. */
export const listResources = (
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { apis }: Pick<ClientRecord, 'apis'>,
): ReadonlyMap<string, string> => {
  const audiences = [getUserinfoAudience(publicUrl), ...apis.map(({ audience }) => audience)]
  return new Map(audiences.map((audience) => [toResource(audience), audience]))
}

const findClientApi = ({ apis }: Pick<ClientRecord, 'apis'>, resource: string | undefined) =>
  apis.find(({ audience }) => toResource(audience) === resource)

/** The scopes that a client may ask for, together with this resource: those of OpenID Connect and of one API. */
export const listScopes = (client: ClientApis, resource: string | undefined): readonly string[] => [
  ...client.scopes,
  ...(findClientApi(client, resource)?.scopes ?? []),
]

/** The API that a client may ask for, if it is still the one that the client was allowed, and still allows such clients. */
export const isApiOf = (
  { apis, document }: Pick<ClientRecord, 'apis' | 'document'>,
  audience: string,
  api: ApiRights | undefined,
): api is ApiRights =>
  api !== undefined &&
  (document === undefined || api.unregistered_clients) &&
  apis.some((one) => one.audience === audience && one.id === api.id)

/** The scopes that a token for an API can have now. */
export const listGrantedScopes = (
  client: ClientApis,
  resource: string | undefined,
  api: ApiRights,
): readonly string[] => {
  const known = [...client.scopes, ...api.scopes.map(({ name }) => name)]
  return listScopes(client, resource).filter((name) => known.includes(name))
}

/** The APIs of a client that have one of these scopes. A request with such a scope need not name its API. */
export const findApisOfScopes = (
  { apis }: Pick<ClientRecord, 'apis'>,
  scopes: readonly string[],
): readonly ClientApi[] => apis.filter((api) => api.scopes.some((name) => scopes.includes(name)))
