/**
 * A request that gets no access. `body` is a problem (RFC 9457) with the codes of the service.
 *
 * @example
 * ```ts
 * import { AccessError, createMiddleware } from '@latchkey/middleware'
 *
 * const { identifyUser } = createMiddleware({ baseUrl: 'https://auth.example.com' })
 * export const handle = async ({ method, headers }: Request): Promise<Response> => {
 *   try {
 *     const user = await identifyUser({ method, getHeader: (name) => headers.get(name) ?? undefined })
 *     return new Response(user.username)
 *   } catch (error) {
 *     if (!(error instanceof AccessError)) throw error
 *     return new Response(error.body, { status: error.status, headers: error.headers })
 *   }
 * }
 * ```
 */
export class AccessError extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The claim for which a JWT with a valid signature was refused, such as `aud`. */
  readonly claim: string | undefined

  readonly #kind: AccessErrorKind
  readonly #details: AccessErrorDetails

  constructor(kind: AccessErrorKind, details: AccessErrorDetails = {}) {
    const { reason, retryAfterSeconds, claim, missing, parameters = {}, cause } = details
    const { status, code, challenge, ...general }: Kind = kinds[kind]
    const detail = (claim && describeClaim(claim)) ?? missing ?? general.detail
    super(detail, { cause })
    this.#kind = kind
    this.#details = details
    this.claim = claim
    this.name = 'AccessError'
    this.status = status
    this.code = code
    this.headers = {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...(challenge !== undefined && { 'www-authenticate': writeChallenge(challenge, parameters) }),
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    }
    const title = (code.charAt(0).toUpperCase() + code.slice(1)).replaceAll('_', ' ')
    this.body = JSON.stringify({ type: `urn:latchkey:problem:${code}`, title, status, detail, code, reason })
  }

  /** The same refusal with further parameters of its challenge. */
  withChallenge(parameters: ChallengeParameters): AccessError {
    const known = this.#details.parameters
    return new AccessError(this.#kind, { ...this.#details, parameters: { ...parameters, ...known } })
  }
}

/** Values of routes and addresses are texts without quotes: names of classes, and numbers. */
const writeChallenge = (challenge: string, parameters: ChallengeParameters): string =>
  Object.entries(parameters).reduce(
    (text, [name, value]) =>
      value === undefined ? text : `${text}${text.includes(' ') ? ', ' : ' '}${name}="${value}"`,
    challenge,
  )

/** What is wrong with a claim. Only the holder of a token that the service signed gets to read it. */
const describeClaim = (claim: string): string => {
  if (claim === 'exp')
    return 'The access token has expired. Get a new one and repeat the request. If it is new, compare the clocks of both servers.'
  const options = new Map([
    ['aud', 'It is for another audience: compare the option `audience`.'],
    ['iss', 'It is from another issuer: compare the options `baseUrl` and `issuer`.'],
    ['sub', 'It is of a client without a user: compare the option `acceptsMachines`.'],
    ['client_id', 'It is from another client: compare the option `clients`.'],
    ['cnf', 'It is bound to a key, or is said to be: compare the option `origin`.'],
    ['iat', 'It is too old or from the future: compare the clocks of both servers.'],
    ['nbf', 'It is from the future: compare the clocks of both servers.'],
    ['typ', 'It is another kind of token, such as an ID token.'],
  ])
  return `The access token is not valid here because of its claim \`${claim}\`. ${options.get(claim) ?? 'Get a new one and repeat the request.'}`
}

export type AccessErrorKind = keyof typeof kinds

interface AccessErrorDetails {
  readonly reason?: string | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly claim?: string | undefined
  /** What the caller lacks for the route, and what to do, as a sentence. */
  readonly missing?: string
  /** Further parameters of the challenge. */
  readonly parameters?: ChallengeParameters
  readonly cause?: unknown
}

type ChallengeParameters = Readonly<Record<string, string | number | undefined>>

interface Kind {
  readonly status: number
  readonly code: string
  readonly detail: string
  /** The header `WWW-Authenticate` (RFC 6750, section 3). */
  readonly challenge?: string
}

const kinds = {
  notAuthenticated: {
    status: 401,
    code: 'not_authenticated',
    detail: 'Sign in and repeat the request.',
    challenge: 'Bearer',
  },
  invalidToken: {
    status: 401,
    code: 'not_authenticated',
    detail: 'The access token is not valid here, or not any more. Get a new one and repeat the request.',
    challenge: 'Bearer error="invalid_token"',
  },
  sessionInsteadOfToken: {
    status: 401,
    code: 'not_authenticated',
    detail:
      'This is the key of a session, and the route takes access tokens: get one and repeat the request. To accept sessions, the product uses `createMiddleware`.',
    challenge: 'Bearer error="invalid_token"',
  },
  invalidProof: {
    status: 401,
    code: 'not_authenticated',
    detail:
      'The access token is bound to a key. Send it with the scheme DPoP and a new proof for this request.',
    challenge: 'DPoP error="invalid_dpop_proof", algs="ES256 Ed25519 EdDSA"',
  },
  insufficientAuthentication: {
    status: 401,
    code: 'not_authenticated',
    detail: 'Sign in again for this, in the way that the header WWW-Authenticate asks for.',
    challenge: 'Bearer error="insufficient_user_authentication"',
  },
  permissionDenied: { status: 403, code: 'permission_denied', detail: 'You are not allowed to do this.' },
  insufficientScope: {
    status: 403,
    code: 'permission_denied',
    detail: 'You do not have the permission for this.',
    challenge: 'Bearer error="insufficient_scope"',
  },
  guest: {
    status: 403,
    code: 'permission_denied',
    detail: 'An access link is not enough for this. Sign in with an account of your own.',
  },
  noOrganization: {
    status: 403,
    code: 'permission_denied',
    detail: 'This is for members of an organization. Name one that you are in.',
  },
  otherOrganization: {
    status: 403,
    code: 'permission_denied',
    detail:
      'The access token is for an organization, and this is for none: get one without an organization. The route takes both with the requirement `organization`.',
  },
  otherSite: {
    status: 403,
    code: 'permission_denied',
    detail: 'A request with the session cookie must come from a page of this site.',
  },
  tooManyRequests: {
    status: 429,
    code: 'too_many_requests',
    detail: 'Wait the number of seconds in the Retry-After header, then try again.',
  },
  unavailable: {
    status: 502,
    code: 'upstream_failed',
    detail: 'The caller could not be identified. Try again later.',
  },
  busy: {
    status: 503,
    code: 'temporarily_unavailable',
    detail:
      'The caller could not be identified in time. Wait the number of seconds in the Retry-After header, then try again.',
  },
  notVerifiable: {
    status: 503,
    code: 'upstream_failed',
    detail: 'The access token cannot be verified at the moment. Try again later.',
  },
} as const
