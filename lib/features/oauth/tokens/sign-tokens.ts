import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose/jwt/sign'
import { logoutTokenLifetimeMs } from '../../../kernel/limits/limits.ts'
import type { Services } from '../../../services.ts'
import { getSigningKey } from '../signing-keys/signing-key.ts'
import type { UserClaims } from './claims.ts'

interface TokenTerms {
  readonly audience: string
  readonly clientId: string
  /** Epoch seconds. */
  readonly issuedAt: number
  readonly expiresAt: number
}

/** Signs a JWT access token (RFC 9068) with the current key. @throws Error if no key can sign. */
export const signAccessToken = async (
  services: Services,
  claims: UserClaims,
  { audience, clientId, issuedAt, expiresAt }: TokenTerms,
): Promise<string> => {
  const { kid, privateKey } = await getSigningKey(services)
  return new SignJWT({
    ...claims,
    iss: services.config.publicUrl,
    aud: audience,
    client_id: clientId,
    iat: issuedAt,
    exp: expiresAt,
    jti: randomUUID(),
  })
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid })
    .sign(privateKey)
}

/** The only event in a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.4). */
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

interface LogoutTerms {
  readonly clientId: string
  /** The user in the tokens of the client. Undefined if only the session is named (section 2.4). */
  readonly subject: number | undefined
  /** The ID of the ended session: see `buildSessionId`. */
  readonly sid: string
}

/**
 * Signs a token that informs a client of the end of a session. It never has a nonce, so that it cannot be taken for an
 * ID token. Its `jti` is always new, because clients may refuse one that they know.
 *
 * @throws Error if no key can sign.
 */
export const signLogoutToken = async (
  services: Services,
  { clientId, subject, sid }: LogoutTerms,
): Promise<string> => {
  const { kid, privateKey } = await getSigningKey(services)
  const issuedAt = Math.floor(services.now() / 1000)
  return new SignJWT({
    iss: services.config.publicUrl,
    ...(subject !== undefined && { sub: String(subject) }),
    aud: clientId,
    iat: issuedAt,
    exp: issuedAt + logoutTokenLifetimeMs / 1000,
    jti: randomUUID(),
    events: { [logoutEvent]: {} },
    sid,
  })
    .setProtectedHeader({ alg: 'RS256', typ: 'logout+jwt', kid })
    .sign(privateKey)
}
