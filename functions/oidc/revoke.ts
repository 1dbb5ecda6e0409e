import type { OAuthError } from '../../lib/contract/models/oidc-flow.ts'
import type { oidc } from '../../lib/contract/operations/oidc.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { authenticateClient, readClientProof } from '../../lib/oidc/authenticate-client.ts'
import { refuseClient } from '../../lib/oidc/client-refusal.ts'
import { findRefreshToken } from '../../lib/oidc/find-refresh-token.ts'
import { deleteOidcGrant } from '../../lib/store/oidc/grants.ts'
import { revokeAccessToken } from '../../lib/store/oidc/token-state.ts'
import { verifyAccessToken, verifyMachineToken } from '../../lib/tokens/verify-access-token.ts'

/**
 * Revokes a token of the client (RFC 7009). An access token ends alone, a refresh token with everything of its grant. A
 * token that has ended, and any other text, is a success as well.
 */
export const revokeToken: UseCase<typeof oidc.revokeToken> = async (
  { body, authorizationHeader, context },
  services,
) => {
  const client = await authenticateClient(services, readClientProof(body, authorizationHeader))
  if (!client) return refuseClient(services, context)
  const claims =
    (await verifyAccessToken(services, body.token, undefined)) ??
    (await verifyMachineToken(services, body.token, undefined))
  if (claims) {
    if (claims.client_id !== client.clientId) return refuseForeign()
    await revokeAccessToken(services.table, claims.jti, claims.exp * 1000)
    return { status: 200, body: {} }
  }
  const found = await findRefreshToken(services, body.token)
  if (!found) return { status: 200, body: {} }
  if (found.grant.clientId !== client.clientId) return refuseForeign()
  await deleteOidcGrant(services.table, found.grant.id)
  return { status: 200, body: {} }
}

/** RFC 7009 2.1. */
const refuseForeign = () => ({
  status: 400 as const,
  body: {
    error: 'unauthorized_client',
    error_description: 'The token was issued to another client.',
  } satisfies OAuthError,
})
