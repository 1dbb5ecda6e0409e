import type { Configuration } from 'oidc-provider'
import { getUserClaims } from './accounts.ts'
import { getRun } from './run.ts'

type Customizers = NonNullable<NonNullable<Configuration['formats']>['customizers']>

/**
 * Adds to an access token what every JWT of this service states. Its identifier contains that of the grant, by which
 * introspection, userinfo and revocation find the grant.
 */
export const customizeAccessToken: NonNullable<Customizers['jwt']> = async (_ctx, token, jwt) => {
  const run = getRun()
  const claims = await getUserClaims(run)
  Object.assign(jwt.payload, claims, { jti: `${run.grant?.id}.${token.jti}` })
}
