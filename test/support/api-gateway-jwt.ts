import { createPublicKey, verify } from 'node:crypto'
import type { Json } from './client.ts'

/*
 * The rules of JWT authorizers of HTTP APIs, written after "Control access to HTTP APIs with JWT authorizers in API
 * Gateway" and the quotas of API Gateway in the documentation of AWS. It shares no code with the service.
 */

export interface JwtAuthorizer {
  readonly issuer: string
  readonly audiences: readonly string[]
  /** The scopes of the route, if it has any. */
  readonly authorizationScopes?: readonly string[]
  /** The document at the `jwks_uri` of the issuer. */
  readonly keySet: Json
}

const decode = (part: string): Json => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
const maxTextLength = 1000
const maxHeaderBytes = 10_240
const minModulusBits = 2048

/** Why API Gateway would answer a request with 401 or 403. Undefined if it passes the token on. */
export const findAuthorizerRefusal = (
  { issuer, audiences, authorizationScopes = [], keySet }: JwtAuthorizer,
  header: string,
  nowMs: number,
): string | undefined => {
  if ([issuer, ...audiences].some(({ length }) => length > maxTextLength))
    return 'the configuration is invalid'
  if (Buffer.byteLength(`authorization: ${header}`) > maxHeaderBytes) return 'the headers are too large'
  const parts = header.replace(/^Bearer /, '').split('.')
  const [protectedPart = '', payloadPart = '', signature = ''] = parts
  if (parts.length !== 3) return 'not a JWS'
  const { alg, kid } = decode(protectedPart)
  if (!/^RS(256|384|512)$/.test(alg)) return 'only RSA algorithms are supported'
  const jwk = keySet['keys'].find((key: Json) => key['kid'] === kid)
  if (kid === undefined || !jwk) return 'no key of the issuer has this kid'
  if (jwk.kty !== 'RSA' || (jwk.alg !== undefined && jwk.alg !== alg))
    return 'the key is for another algorithm'
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  if ((key.asymmetricKeyDetails?.modulusLength ?? 0) < minModulusBits) return 'the key is too short'
  const signed = Buffer.from(`${protectedPart}.${payloadPart}`)
  if (!verify(alg.replace('RS', 'RSA-SHA'), signed, key, Buffer.from(signature, 'base64url')))
    return 'the signature is wrong'
  return findClaimRefusal({ issuer, audiences, authorizationScopes }, decode(payloadPart), nowMs / 1000)
}

const findClaimRefusal = (
  { issuer, audiences, authorizationScopes }: Required<Omit<JwtAuthorizer, 'keySet'>>,
  { iss, aud, client_id, exp, nbf, iat, scope, scp }: Json,
  now: number,
): string | undefined => {
  if (iss !== issuer) return 'the issuer is another one'
  // `client_id` only counts without `aud`.
  const named: readonly string[] = [aud ?? client_id].flat()
  if (!named.some((audience) => audiences.includes(audience))) return 'the audience is another one'
  if (typeof exp !== 'number' || exp <= now) return 'expired'
  if (nbf !== undefined && nbf > now) return 'not valid yet'
  if (iat !== undefined && iat > now) return 'issued in the future'
  const scopes: readonly string[] = [String(scope ?? '').split(' '), scp ?? []].flat()
  return authorizationScopes.length === 0 || authorizationScopes.some((one) => scopes.includes(one))
    ? undefined
    : 'a scope is missing'
}
