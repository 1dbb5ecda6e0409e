import { type Configuration, errors } from 'oidc-provider'
import { getUserinfoAudience } from '../../settings/jwt-audiences.ts'
import { limitToClient } from '../token-claims.ts'
import { getUserClaims } from './accounts.ts'
import { getRun } from './run.ts'

type Customizers = NonNullable<NonNullable<Configuration['formats']>['customizers']>

/**
 * Adds to an access token what every JWT of this service states. Its identifier contains that of the grant, by which
 * introspection, userinfo and revocation find the grant.
 */
export const customizeAccessToken: NonNullable<Customizers['jwt']> = async (_ctx, token, jwt) => {
  const run = getRun()
  const { client, grant, services } = run
  if (!client) throw new errors.InvalidClient('the client is not known')
  // A token for no API is worth nothing but userinfo, so it names no rights.
  const isForApi = jwt.payload['aud'] !== getUserinfoAudience(services.config.publicUrl)
  const scopes = isForApi ? String(jwt.payload['scope'] ?? '').split(' ') : []
  const claims = limitToClient(await getUserClaims(run), { client, scopes })
  Object.assign(jwt.payload, claims, { jti: `${grant?.id}.${token.jti}` })
}
