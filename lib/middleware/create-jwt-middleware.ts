import { readBaseUrl } from '../client/base-url.ts'
import { AccessError } from './access-error.ts'
import { connectFrameworks, type Middleware } from './connect-frameworks.ts'
import type { IntrospectionClient, JwtMiddlewareOptions, JwtRequirement } from './jwt-options.ts'
import { createProveKey } from './prove-key.ts'
import { type IncomingRequest, readToken } from './read-credential.ts'
import { readTokenUser, type TokenUser } from './token-user.ts'
import { hasPermission } from './user.ts'
import { createVerifyToken } from './verify-token.ts'

/**
 * Creates middleware that verifies JWT access tokens (RFC 9068) with the public keys of the service, and asks nothing else.
 * A token counts until it expires, unless the requirement of a route has `asksService`.
 *
 * @throws TypeError for options that are not accepted, such as a missing audience
 *
 * @example
 * ```ts
 * import { createJwtMiddleware } from '@latchkey/middleware'
 *
 * const tokens = createJwtMiddleware({
 *   baseUrl: 'https://auth.example.com',
 *   audience: 'https://films.example.com',
 * })
 * export const handler = tokens.web((_, user) => Response.json({ hello: user.username }))
 * ```
 */
export const createJwtMiddleware = (options: JwtMiddlewareOptions): Middleware<TokenUser, JwtRequirement> => {
  const {
    acceptsGuests = false,
    acceptsMachines = false,
    clockToleranceSeconds = 5,
    resourceMetadata,
  } = options
  const verifyToken = createVerifyToken(options)
  const proveKey = createProveKey(options.origin)
  const introspectToken = createIntrospectToken(options)
  if (resourceMetadata !== undefined && !/^https?:\/\/[\x21\x23-\x5b\x5d-\x7e]+$/.test(resourceMetadata))
    throw new TypeError('resourceMetadata must be the address of the metadata.')
  const identify = async (request: IncomingRequest, requirement: JwtRequirement): Promise<TokenUser> => {
    const { permission, scope, asksService = false, acr, maxAgeSeconds } = requirement
    const sent = readToken(request)
    if (sent === undefined) throw new AccessError('notAuthenticated')
    const user = readTokenUser(await verifyToken(sent.token))
    await proveKey(request, sent, user.claims)
    if (user.kind === 'access_link' && !acceptsGuests) throw new AccessError('guest')
    if (user.kind === 'machine' && !acceptsMachines) throw new AccessError('invalidToken', { claim: 'sub' })
    if (permission !== undefined && !hasPermission(user, permission))
      throw new AccessError('insufficientScope')
    if (scope !== undefined && !readScopes(user).includes(scope))
      throw new AccessError('insufficientScope', { parameters: { scope } })
    requireSignIn(user, { acr, maxAgeSeconds, toleranceSeconds: clockToleranceSeconds })
    if (asksService) await introspectToken(sent.token)
    return user
  }
  return connectFrameworks<TokenUser, JwtRequirement>((request, requirement = {}) =>
    identify(request, requirement).catch((error: unknown) => {
      if (!(error instanceof AccessError) || resourceMetadata === undefined) throw error
      throw error.withChallenge({ scope: requirement.scope, resource_metadata: resourceMetadata })
    }),
  )
}

/** The scopes of a token. Verified tokens have a text, or none. */
const readScopes = ({ claims }: TokenUser): readonly string[] => String(claims['scope'] ?? '').split(' ')

interface SignInRequirement {
  readonly acr: string | undefined
  readonly maxAgeSeconds: number | undefined
  readonly toleranceSeconds: number
}

/** RFC 9470 3. @throws AccessError for a sign-in that is too weak or too old, and for API tokens, which have none */
const requireSignIn = (
  { claims }: TokenUser,
  { acr, maxAgeSeconds, toleranceSeconds }: SignInRequirement,
): void => {
  const isWeak = acr !== undefined && claims['acr'] !== acr && claims['acr'] !== strongest
  const since = Date.now() / 1000 - Number(claims['auth_time'])
  const isOld = maxAgeSeconds !== undefined && !(since <= maxAgeSeconds + toleranceSeconds)
  if (!isWeak && !isOld) return
  const wanted = { acr_values: acr, max_age: maxAgeSeconds }
  throw new AccessError('insufficientAuthentication', { parameters: wanted })
}

/** Enough for every route. */
const strongest = 'urn:latchkey:acr:multi-factor'

/** Asks whether a token still counts. @throws AccessError if it does not, and if the service gives no clear answer */
type IntrospectToken = (token: string) => Promise<void>

/** The credentials of a client as RFC 6749 encodes them (section 2.3.1). */
const encodeCredentials = ({ clientId, clientSecret }: IntrospectionClient): string =>
  btoa([clientId, clientSecret].map(encodeURIComponent).join(':'))

/** Creates the function for introspection (RFC 7662). Without a client it throws a TypeError for each token. */
const createIntrospectToken = (options: JwtMiddlewareOptions): IntrospectToken => {
  const { introspection, timeoutMs = 5_000, allowsHttp } = options
  const url = `${readBaseUrl(options.baseUrl, allowsHttp)}/oauth2/introspect`
  const send = options.fetch ?? ((address, init) => fetch(address, init))
  return async (token) => {
    if (!introspection) throw new TypeError('asksService needs the option introspection.')
    const response = await send(url, {
      method: 'POST',
      headers: {
        authorization: `Basic ${encodeCredentials(introspection)}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: new URLSearchParams({ token, token_type_hint: 'access_token' }).toString(),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch(refuse)
    if (response.status === 429) {
      const retryAfterSeconds = Number(response.headers.get('retry-after')) || 1
      throw new AccessError('tooManyRequests', { retryAfterSeconds })
    }
    if (response.status === 503) {
      const retryAfterSeconds = Number(response.headers.get('retry-after')) || undefined
      throw new AccessError('notVerifiable', { retryAfterSeconds })
    }
    if (response.status !== 200) return refuse(new Error(`Introspection answered ${response.status}.`))
    const answer = (await response.json().catch(refuse)) as { readonly active?: unknown } | null
    if (answer?.active === false) throw new AccessError('invalidToken')
    if (answer?.active !== true) refuse(new Error('Introspection gave no clear answer.'))
  }
}

const refuse = (cause: unknown): never => {
  throw new AccessError('notVerifiable', { cause })
}
