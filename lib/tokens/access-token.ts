import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose/jwt/sign'
import type { Services } from '../services.ts'
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
