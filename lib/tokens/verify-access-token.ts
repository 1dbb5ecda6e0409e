import { errors, type JWTPayload, jwtVerify } from 'jose'
import { jwtCharacters } from '../core/limits.ts'
import type { Services } from '../services.ts'
import { getKeySet } from '../signing-keys/key-set.ts'
import type { UserClaims } from './claims.ts'

/** What every access token states besides its user. */
interface TokenClaims {
  readonly aud: string
  readonly client_id: string
  readonly jti: string
  /** Epoch seconds. */
  readonly iat: number
  readonly exp: number
  /** Separated by spaces. Missing in tokens that no client asked for. */
  readonly scope?: string
}

/** A JWT access token with the signature of this service. */
export type AccessTokenClaims = Pick<
  UserClaims,
  'sub' | 'sid' | 'groups' | 'permissions' | 'act' | 'auth_time'
> &
  TokenClaims &
  JWTPayload

/**
 * Verifies signature, type, issuer, audience and times of a JWT access token. Returns undefined if any of them is wrong.
 * A valid token says nothing about what happened since it was issued: see `findTokenPrincipal`.
 */
export const verifyAccessToken = async (
  services: Services,
  token: string,
  /** The token must be for one of them. Undefined if any audience is accepted. */
  audiences: readonly string[] | undefined,
): Promise<AccessTokenClaims | undefined> => {
  if (token.length > jwtCharacters) return undefined
  const keys = await getKeySet(services)
  try {
    const { payload } = await jwtVerify(
      token,
      // Only own keys count. A key or an address of keys in the header of the token is ignored.
      ({ kid }) => {
        const jwk = keys.find((key) => key.kid === kid)
        if (!jwk) throw new errors.JWKSNoMatchingKey()
        return { ...jwk }
      },
      {
        algorithms: ['RS256'],
        typ: 'at+jwt',
        issuer: services.config.publicUrl,
        ...(audiences ? { audience: [...audiences] } : {}),
        requiredClaims: ['exp', 'iat', 'jti', 'sub', 'sid', 'client_id'],
        currentDate: new Date(services.now()),
      },
    )
    return hasTokenClaims(payload) && hasUserClaims(payload) ? payload : undefined
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string')

/** Whether the token has one audience, and a client. */
const hasTokenClaims = ({ aud, jti, client_id, scope = '' }: JWTPayload): boolean =>
  [aud, jti, client_id, scope].every((value) => typeof value === 'string')

/** Whether the token states a user. Its signature proves that this service wrote the claims, so few checks are enough. */
const hasUserClaims = (payload: JWTPayload): payload is AccessTokenClaims =>
  typeof payload['sid'] === 'string' && isTextList(payload['groups']) && isTextList(payload['permissions'])
