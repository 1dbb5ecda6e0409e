import type { Principal } from '../accounts/common/principal.ts'
import type { Services } from '../services.ts'
import { getUserinfoAudience, ownClientId } from '../settings/jwt-audiences.ts'
import { findTokenState } from '../store/oidc/token-state.ts'
import { findTokenPrincipal } from '../tokens/find-token-principal.ts'
import type { AccessTokenClaims } from '../tokens/verify-access-token.ts'
import { findGrantSubject } from './find-grant-subject.ts'
import type { ClientRights } from './token-claims.ts'

/** The user behind an access token, and what the token allows now. */
export interface TokenSubject {
  readonly principal: Principal
  /** The client, and the scopes of the token that it still has. Undefined for tokens of `create_jwt`. */
  readonly rights: ClientRights | undefined
}

/**
 * Finds the user of a verified access token, if everything that the token depends on still works: its session or API
 * token, the user, and for tokens of a client also the client with this audience, the grant and the token itself.
 */
export const findTokenSubject = async (
  services: Services,
  claims: AccessTokenClaims,
): Promise<TokenSubject | undefined> => {
  if (claims.client_id === ownClientId) {
    const principal = await findTokenPrincipal(services, claims)
    return principal && { principal, rights: undefined }
  }
  const names = { jti: claims.jti, clientId: claims.client_id }
  const state = await findTokenState(services.table, names, services.now())
  if (!state || String(state.grant.userId) !== claims.sub || state.grant.sid !== claims.sid) return undefined
  const { client } = state
  const audiences = [getUserinfoAudience(services.config.publicUrl), ...client.audiences]
  if (!audiences.includes(claims.aud)) return undefined
  const principal = await findGrantSubject(services, state.grant)
  const scopes = (claims.scope ?? '').split(' ').filter((scope) => client.scopes.includes(scope))
  return principal && { principal, rights: { client, scopes } }
}
