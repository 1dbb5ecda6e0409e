import { type Configuration, errors } from 'oidc-provider'
import type { OidcClient } from '../../store/records/oidc-client-record.ts'
import { getRun } from './run.ts'

type ResourceIndicators = NonNullable<NonNullable<Configuration['features']>['resourceIndicators']>

/** The audiences that a client may ask for. The first one is the default. */
const getAudiences = (publicUrl: string, { audiences }: OidcClient): readonly string[] =>
  audiences.length > 0 ? audiences : [publicUrl]

/** The library only accepts URIs. Other audiences of clients are written as URIs here, and never leave this file. */
const toResource = (audience: string): string =>
  URL.canParse(audience) ? audience : `urn:latchkey:audience:${encodeURIComponent(audience)}`

const listResources = (): ReadonlyMap<string, string> => {
  const { services, client } = getRun()
  if (!client) throw new errors.InvalidTarget('the client is not known')
  const audiences = getAudiences(services.config.publicUrl, client)
  return new Map(audiences.map((audience) => [toResource(audience), audience]))
}

/** Which server an access token is for (RFC 8707). Every access token is a JWT with one audience. */
export const resourceIndicators: ResourceIndicators = {
  enabled: true,
  defaultResource: async (_ctx, _client, oneOf) => {
    if (oneOf && oneOf.length > 1) throw new errors.InvalidTarget('only one resource can be requested')
    const [first = ''] = listResources().keys()
    return oneOf?.[0] ?? first
  },
  useGrantedResource: () => true,
  getResourceServerInfo: async (_ctx, resource) => {
    const audience = listResources().get(resource)
    if (audience === undefined) throw new errors.InvalidTarget('the client may not ask for this resource')
    return { audience, accessTokenFormat: 'jwt', scope: getRun().client?.scopes.join(' ') ?? '' }
  },
}
