import { type Configuration, errors } from 'oidc-provider'
import { getUserinfoAudience } from '../../settings/jwt-audiences.ts'
import { getRun } from './run.ts'

type ResourceIndicators = NonNullable<NonNullable<Configuration['features']>['resourceIndicators']>

/** The library only accepts URIs. Other audiences of clients are written as URIs here, and never leave this file. */
const toResource = (audience: string): string =>
  URL.canParse(audience) ? audience : `urn:latchkey:audience:${encodeURIComponent(audience)}`

/** The audiences that the client may ask for. */
const listResources = (): ReadonlyMap<string, string> => {
  const { services, client } = getRun()
  if (!client) throw new errors.InvalidTarget('the client is not known')
  const audiences = [getUserinfoAudience(services.config.publicUrl), ...client.audiences]
  return new Map(audiences.map((audience) => [toResource(audience), audience]))
}

/**
 * Which server an access token is for (RFC 8707). Every access token is a JWT with one audience. It is for userinfo unless
 * the client names an API, so that a token that was requested without a thought is worth the least.
 */
export const resourceIndicators: ResourceIndicators = {
  enabled: true,
  defaultResource: async (_ctx, _client, oneOf) => {
    if (oneOf && oneOf.length > 1) throw new errors.InvalidTarget('only one resource can be requested')
    return oneOf?.[0] ?? getUserinfoAudience(getRun().services.config.publicUrl)
  },
  useGrantedResource: () => true,
  getResourceServerInfo: async (_ctx, resource) => {
    const audience = listResources().get(resource)
    if (audience === undefined) throw new errors.InvalidTarget('the client may not ask for this resource')
    return { audience, accessTokenFormat: 'jwt', scope: getRun().client?.scopes.join(' ') ?? '' }
  },
}
