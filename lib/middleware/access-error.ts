/** A request that gets no access. `body` is a problem (RFC 9457) with the codes of the service. */
export class AccessError extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string

  constructor(kind: AccessErrorKind, { reason, retryAfterSeconds, cause }: AccessErrorDetails = {}) {
    const { status, code, detail } = kinds[kind]
    super(detail, { cause })
    this.name = 'AccessError'
    this.status = status
    this.code = code
    this.headers = {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    }
    const title = (code.charAt(0).toUpperCase() + code.slice(1)).replaceAll('_', ' ')
    this.body = JSON.stringify({ type: `urn:latchkey:problem:${code}`, title, status, detail, code, reason })
  }
}

export type AccessErrorKind = keyof typeof kinds

interface AccessErrorDetails {
  readonly reason?: string | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly cause?: unknown
}

const kinds = {
  notAuthenticated: { status: 401, code: 'not_authenticated', detail: 'Sign in and repeat the request.' },
  permissionDenied: { status: 403, code: 'permission_denied', detail: 'You are not allowed to do this.' },
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
} as const
