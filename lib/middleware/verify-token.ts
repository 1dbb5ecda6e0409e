import {
  base64url,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose'
import { readServiceOrigin } from '../client/build-url.ts'
import { AccessError } from './access-error.ts'
import type { JwtMiddlewareOptions } from './jwt-options.ts'
import type { TokenClaims } from './token-user.ts'

/** API Gateway accepts no more bytes of headers. */
const maxCharacters = 10_240
const maxToleranceSeconds = 60
const maxLifetimeSeconds = 60 * 60
/** The `client_id` of JWTs of `create_jwt`. */
const ownClientId = 'latchkey'

/** Returns the claims of a token for this API. @throws AccessError for every other token, and if the keys can't be read */
export type VerifyToken = (token: string) => Promise<TokenClaims>

/** Creates the function that verifies tokens. @throws TypeError for options that would accept too many tokens */
export const createVerifyToken = (options: JwtMiddlewareOptions): VerifyToken => {
  const { audience, clients, clockToleranceSeconds = 5, allowsHttp } = options
  const baseUrl = readServiceOrigin(options.baseUrl, allowsHttp)
  const audiences = [audience].flat()
  if (audiences.length === 0 || audiences.some((name) => typeof name !== 'string' || name === ''))
    throw new TypeError('audience must name your API.')
  if (clients?.length === 0 || clients?.some((id) => typeof id !== 'string' || id === ''))
    throw new TypeError('clients must name at least one client.')
  if (!(clockToleranceSeconds >= 0 && clockToleranceSeconds <= maxToleranceSeconds))
    throw new TypeError(`clockToleranceSeconds must be from 0 to ${maxToleranceSeconds}.`)
  const issuer = options.issuer ?? baseUrl
  /** The claim for which a token is not accepted. */
  const findRefusedClaim = ({ aud, client_id: id }: JWTPayload): string | undefined => {
    if (clients !== undefined && !clients.some((client) => client === id)) return 'client_id'
    // Every client can get tokens for the service itself, so they are worth nothing to an API.
    const isForService = [issuer, `${issuer}/oauth2/userinfo`].some((own) => [aud].flat().includes(own))
    return id !== ownClientId && isForService ? 'aud' : undefined
  }
  const findKey = createFindKey(baseUrl, options)
  return async (token) => {
    if (token.length > maxCharacters || !isCanonical(token)) throw new AccessError('invalidToken')
    try {
      const { payload } = await jwtVerify(token, findKey, {
        issuer,
        // Guests have an audience of their own, so that other libraries refuse them.
        audience: [...audiences, ...audiences.map((name) => `urn:latchkey:guests:${name}`)],
        // Any other algorithm would let attackers choose how their own token is verified.
        algorithms: ['RS256'],
        // ID tokens of the same keys have another type.
        typ: 'at+jwt',
        clockTolerance: clockToleranceSeconds,
        // Also refuses tokens that were issued in the future.
        maxTokenAge: maxLifetimeSeconds,
        requiredClaims: ['sub', 'exp', 'iat', 'jti', 'client_id'],
      })
      const claim = findUnissuedClaim(payload) ?? findRefusedClaim(payload)
      if (claim !== undefined) throw new AccessError('invalidToken', { claim })
      return payload
    } catch (cause) {
      if (cause instanceof AccessError) throw cause
      throw new AccessError(cause instanceof errors.JOSEError ? 'invalidToken' : 'notVerifiable', {
        cause,
        claim: readClaim(cause),
      })
    }
  }
}

/** The library verifies the signature before the claims. */
const readClaim = (error: unknown): string | undefined =>
  error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired
    ? error.claim
    : undefined

/** One token has one spelling. Base64 decoders skip characters that they do not know, and unused bits at the end. */
const isCanonical = (token: string): boolean => {
  const parts = token.split('.')
  try {
    return parts.length === 3 && parts.every((part) => base64url.encode(base64url.decode(part)) === part)
  } catch {
    return false
  }
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''
const isTime = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0

/** The claim that the service could not have issued with this value. It refuses such a token, too. */
const findUnissuedClaim = ({ iat, exp, auth_time, scope = '', ...texts }: JWTPayload): string | undefined => {
  if (!isTime(iat)) return 'iat'
  if (!isTime(exp) || exp <= iat || exp - iat > maxLifetimeSeconds) return 'exp'
  if (auth_time !== undefined && !isTime(auth_time)) return 'auth_time'
  if (typeof scope !== 'string') return 'scope'
  // Tokens of clients do not name the session.
  const isOwn = texts['client_id'] === ownClientId
  if (!isOwn && texts['sid'] !== undefined) return 'sid'
  const named = isOwn ? ['client_id', 'sid', 'jti'] : ['client_id', 'jti']
  return named.find((name) => !isText(texts[name]))
}

/**
 * Creates the function that finds the key of a token. Keys are kept for ten minutes. An unknown key loads them again, but
 * only once in 30 seconds, so that invalid tokens can't cause a request each.
 */
const createFindKey = (
  baseUrl: string,
  { timeoutMs = 5_000, fetch }: JwtMiddlewareOptions,
): JWTVerifyGetKey => {
  const keys = createRemoteJWKSet(new URL(`${baseUrl}/.well-known/jwks.json`), {
    timeoutDuration: timeoutMs,
    ...(fetch ? { [customFetch]: fetch } : {}),
  })
  return async (header, token) => {
    if (typeof header.kid !== 'string') throw new AccessError('invalidToken')
    try {
      return await keys(header, token)
    } catch (cause) {
      const isUnknown =
        cause instanceof errors.JWKSNoMatchingKey || cause instanceof errors.JWKSMultipleMatchingKeys
      throw new AccessError(isUnknown ? 'invalidToken' : 'notVerifiable', { cause })
    }
  }
}
