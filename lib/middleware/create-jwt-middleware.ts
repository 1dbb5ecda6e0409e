import { readServiceOrigin } from '../client/build-url.ts'
import { checkOptions } from '../kernel/options/check-options.ts'
import { AccessError } from './access-error.ts'
import { connectFrameworks, type Middleware } from './connect-frameworks.ts'
import { proofWindowSeconds, verifyDpopProof } from './dpop-proof.ts'
import {
  type IntrospectionClient,
  introspectionTypes,
  type JwtMiddlewareOptions,
  jwtOptionTypes,
} from './jwt-options.ts'
import { type IncomingRequest, readToken, type SentToken, sessionPrefix } from './read-credential.ts'
import { createReportFailure } from './report-failure.ts'
import { type Proof, type Requirement, requireAccess } from './requirement.ts'
import { readTokenUser, type TokenClaims, type TokenUser } from './token-user.ts'
import { createVerifyToken } from './verify-token.ts'

/**
 * Creates middleware that verifies JWT access tokens (RFC 9068) with the public keys of the service, and asks nothing else.
 * A token counts until it expires, unless the requirement of a route has `asksService`.
 *
 * @throws TypeError for options that are not accepted, such as a missing audience or a misspelt name
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
export const createJwtMiddleware = (options: JwtMiddlewareOptions): Middleware<TokenUser> => {
  checkOptions(options, jwtOptionTypes, 'an option of createJwtMiddleware')
  const { introspection: client } = options
  if (client !== undefined) checkOptions(client, introspectionTypes, 'a field of introspection')
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
  const identify = async (request: IncomingRequest, requirement: Requirement): Promise<TokenUser> => {
    const sent = readToken(request)
    if (sent === undefined) throw new AccessError('notAuthenticated')
    if (sent.token.startsWith(sessionPrefix)) throw new AccessError('sessionInsteadOfToken')
    const user = readTokenUser(await verifyToken(sent.token))
    await proveKey(request, sent, user.claims)
    if (user.kind === 'access_link' && !acceptsGuests) throw new AccessError('guest')
    if (user.kind === 'machine' && !acceptsMachines) throw new AccessError('invalidToken', { claim: 'sub' })
    requireAccess(user, requirement, readProof(user), clockToleranceSeconds)
    if (requirement.asksService) await introspectToken(sent.token)
    return user
  }
  return connectFrameworks<TokenUser>(
    (request, requirement) =>
      identify(request, requirement).catch((error: unknown) => {
        if (!(error instanceof AccessError) || resourceMetadata === undefined) throw error
        throw error.withChallenge({ scope: requirement.scope, resource_metadata: resourceMetadata })
      }),
    createReportFailure(options.baseUrl),
  )
}

/** Verified tokens have a text of scopes, or none. API tokens do not sign in, so their tokens have no time of a sign-in. */
const readProof = ({ claims }: TokenUser): Proof => ({
  scopes: String(claims['scope'] ?? '').split(' '),
  acr: claims['acr'],
  authenticatedAt: Number(claims['auth_time']),
})

/** Asks whether a token still counts. @throws AccessError if it does not, and if the service gives no clear answer */
type IntrospectToken = (token: string) => Promise<void>

/** The credentials of a client as RFC 6749 encodes them (section 2.3.1). */
const encodeCredentials = ({ clientId, clientSecret }: IntrospectionClient): string =>
  btoa([clientId, clientSecret].map(encodeURIComponent).join(':'))

/** Creates the function for introspection (RFC 7662). Without a client it throws a TypeError for each token. */
const createIntrospectToken = (options: JwtMiddlewareOptions): IntrospectToken => {
  const { introspection, timeoutMs = 5_000, allowsHttp } = options
  const url = `${readServiceOrigin(options.baseUrl, allowsHttp)}/oauth2/introspect`
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

/** Lets a token pass if its sender has its key. @throws AccessError for a missing, wrong or repeated proof */
type ProveKey = (request: IncomingRequest, sent: SentToken, claims: TokenClaims) => Promise<void>

/**
 * Creates the check of tokens that are bound to a key (DPoP, RFC 9449). Without `origin` it refuses all of them: they are
 * worth nothing without a proof. Others pass as bearer tokens.
 *
 * @throws TypeError if `origin` is not the origin of an address
 */
const createProveKey = (origin: string | undefined): ProveKey => {
  if (origin !== undefined && URL.parse(origin)?.origin !== origin)
    throw new TypeError('origin must be one as https://api.example.com.')
  const isFirst = createProofMemory()
  return async ({ method, url = '', getHeader }, { token, isProven }, { cnf }) => {
    if (cnf === undefined && !isProven) return
    const thumbprint = readThumbprint(cnf)
    if (thumbprint === undefined || origin === undefined)
      throw new AccessError('invalidToken', { claim: 'cnf' })
    const address = URL.parse(url.startsWith('/') ? origin + url : url)
    if (!isProven || !address) throw new AccessError('invalidProof')
    const nowMs = Date.now()
    const expected = { method: method.toUpperCase(), url: origin + address.pathname, token, thumbprint }
    const id = await verifyDpopProof(getHeader('dpop') ?? '', expected, nowMs)
    if (id === undefined || !isFirst(`${thumbprint} ${id}`, nowMs)) throw new AccessError('invalidProof')
  }
}

const readThumbprint = (cnf: unknown): string | undefined => {
  if (typeof cnf !== 'object' || cnf === null || !('jkt' in cnf)) return undefined
  return typeof cnf.jkt === 'string' && cnf.jkt !== '' ? cnf.jkt : undefined
}

const maxRemembered = 20_000

/** Remembers the proofs of this process. When there are too many, the oldest are forgotten first. */
const createProofMemory = () => {
  const seenUntil = new Map<string, number>()
  return (id: string, nowMs: number): boolean => {
    for (const [known, until] of seenUntil) {
      if (until > nowMs && seenUntil.size < maxRemembered) break
      seenUntil.delete(known)
    }
    if (seenUntil.has(id)) return false
    // A proof works as long before its time as after it.
    seenUntil.set(id, nowMs + 2 * proofWindowSeconds * 1000)
    return true
  }
}
