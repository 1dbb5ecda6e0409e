import type { oidc } from '../../lib/contract/operations/oidc.ts'
import { AppError, invalidRequest } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { jwtCharacters, jwtLifetimeMs } from '../../lib/limits/limits.ts'
import { ownClientId, toGuestAudience } from '../../lib/settings/jwt-audiences.ts'
import { signAccessToken } from '../../lib/tokens/access-token.ts'
import { buildUserClaims } from '../../lib/tokens/claims.ts'
import { getCredentialEnd } from '../../lib/tokens/credential-end.ts'

/** Creates a JWT for the caller's user. It is not stored anywhere. */
export const createJwt: UseCase<typeof oidc.createJwt> = async ({ body, principal }, services) => {
  const { publicUrl, jwtAudiences } = services.config
  const { audience = publicUrl } = body
  if (audience !== publicUrl && !jwtAudiences.includes(audience))
    throw invalidRequest([{ field: 'audience', message: 'is not an audience that this service allows' }])
  const nowMs = services.now()
  const issuedAt = Math.floor(nowMs / 1000)
  const end = Math.min(nowMs + jwtLifetimeMs, getCredentialEnd(services, principal))
  const expiresAt = Math.floor(end / 1000)
  if (expiresAt <= issuedAt)
    throw new AppError('not_authenticated', { headers: { 'www-authenticate': 'Bearer' } })
  const claims = await buildUserClaims(services, principal)
  const isGuest = principal.session?.accessToken !== undefined
  const terms = {
    audience: isGuest ? toGuestAudience(audience) : audience,
    clientId: ownClientId,
    issuedAt,
    expiresAt,
  }
  const token = await signAccessToken(services, claims, terms)
  if (token.length > jwtCharacters)
    throw new AppError('conflict', {
      reason: 'token_too_large',
      detail: 'The groups and permissions of the user do not fit into a JWT.',
    })
  return { status: 200, body: { token, token_type: 'Bearer', expires_in: expiresAt - issuedAt } }
}
