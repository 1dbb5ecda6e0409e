import type { Responses } from '../kernel/contract/operation.ts'
import { AppError } from '../kernel/errors/errors.ts'
import type { Config } from '../kernel/settings/config.ts'
import { isSecure } from './cookies.ts'
import type { HttpEvent, HttpResult, Middleware } from './http-types.ts'

/** The reply of a use case, before it is encoded. */
export interface PlainReply {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly cookies?: readonly string[]
  /** The origins whose pages may read the reply, for operations that declare `origins_of_client`. */
  readonly readableFrom?: readonly string[] | undefined
}

/** Encodes the reply of a use case in the way that the operation declares for its status. */
export const toHttpResult = (reply: PlainReply, declared: Responses[number] | undefined): HttpResult => {
  const headers = { ...reply.headers }
  // A use case states the type if the operation declares only a range, such as `image/*`.
  if (declared !== null) headers['content-type'] ??= describeType(reply.body, declared)
  return {
    statusCode: reply.status,
    headers,
    ...(reply.cookies ? { cookies: [...reply.cookies] } : {}),
    ...(declared === null ? {} : encodeBody(reply.body, declared)),
  }
}

const describeType = (body: unknown, declared: Responses[number] | undefined): string => {
  if (typeof declared !== 'string') return 'application/json'
  return body instanceof Uint8Array ? declared : `${declared}; charset=utf-8`
}

/** API Gateway decodes the base64 of a binary body. */
const encodeBody = (
  body: unknown,
  declared: Responses[number] | undefined,
): Pick<HttpResult, 'body' | 'isBase64Encoded'> => {
  if (body instanceof Uint8Array) return { body: Buffer.from(body).toString('base64'), isBase64Encoded: true }
  return { body: typeof declared === 'string' ? String(body) : JSON.stringify(body) }
}

/** The headers that protect every response. */
export const protectiveHeaders = {
  // Nearly every response contains a credential or requires one, so shared caches must not store any of them.
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  // Other origins cannot embed a response. Pages of allowed origins still read it, because CORS requests are exempt.
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

/** Features of browsers that no page uses, so that nothing that gets into a page can use them. */
const unusedFeatures = [
  ...['accelerometer', 'autoplay', 'bluetooth', 'camera', 'clipboard-read', 'display-capture'],
  ...[
    'encrypted-media',
    'fullscreen',
    'gamepad',
    'geolocation',
    'gyroscope',
    'hid',
    'identity-credentials-get',
  ],
  ...['idle-detection', 'local-fonts', 'magnetometer', 'microphone', 'midi', 'otp-credentials', 'payment'],
  ...['picture-in-picture', 'screen-wake-lock', 'serial', 'storage-access', 'usb', 'web-share'],
  ...['window-management', 'xr-spatial-tracking'],
]
/** Passkeys, and the button that copies an example. */
const usedFeatures = ['clipboard-write', 'publickey-credentials-create', 'publickey-credentials-get']

const pageHeaders = {
  /**
   * Keeps windows of other origins away from a page. Redirects do not have it: a product may run a sign-in or a logout in a
   * popup, and the policy of one redirect would separate the popup from its opener.
   */
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': [
    ...unusedFeatures.map((name) => `${name}=()`),
    ...usedFeatures.map((name) => `${name}=(self)`),
  ].join(', '),
} as const

/** Sets the headers that every response has, including errors. Headers of the response itself take precedence. */
export const setHeaders = (config: Config): Middleware => {
  const fixed = {
    ...protectiveHeaders,
    ...(isSecure(config) ? { 'strict-transport-security': buildHsts(config) } : {}),
  }
  const set: Middleware['after'] = ({ context, response }) => {
    if (!response) return
    const isPage = String(response.headers?.['content-type']).startsWith('text/html')
    response.headers = {
      ...fixed,
      ...(isPage ? pageHeaders : {}),
      'x-request-id': context.requestState.requestId,
      ...response.headers,
    }
  }
  return { after: set, onError: set }
}

/** Two years, as preload lists require at least one (RFC 6797 section 6.1). */
const buildHsts = ({ hstsIncludeSubdomains, hstsPreload }: Config): string =>
  [
    'max-age=63072000',
    ...(hstsIncludeSubdomains ? ['includeSubDomains'] : []),
    ...(hstsPreload ? ['preload'] : []),
  ].join('; ')

/**
 * Answers HEAD with the status and the headers of GET (RFC 9110 9.3.2). The body is left out here, because a gateway could
 * send it. Its length stays: without it, a gateway could state the length of the empty body, which would be wrong
 * (RFC 9110 8.6).
 */
export const omitHeadBody = (): Middleware => {
  const omit: Middleware['after'] = (request) => {
    if (request.response) request.response = toHeadResult(request.event, request.response)
  }
  return { after: omit, onError: omit }
}

/** The same request with GET, for what must know the body of the response. */
export const toGetEvent = (event: HttpEvent): HttpEvent => ({
  ...event,
  requestContext: { ...event.requestContext, http: { ...event.requestContext.http, method: 'GET' } },
})

/** Returns the response without its body if the request is HEAD. */
export const toHeadResult = (event: HttpEvent, response: HttpResult): HttpResult => {
  const { body = '', ...head } = response
  const hasNoContent = head.statusCode === 204 || head.statusCode === 304
  if (event.requestContext.http.method !== 'HEAD' || hasNoContent) return response
  const length = Buffer.byteLength(body, response.isBase64Encoded ? 'base64' : 'utf8')
  return { ...head, headers: { ...head.headers, 'content-length': String(length) } }
}

/** Creates the error for a method that a path does not have, with the methods that it has (RFC 9110 15.5.6). */
export const createMethodNotAllowed = (methods: Iterable<string>): AppError =>
  new AppError('method_not_allowed', { headers: { allow: [...new Set(methods)].sort().join(', ') } })

/** Creates the error for a path that nothing has. */
export const createUnknownPathError = ({ apiReference }: Pick<Config, 'apiReference'>): AppError =>
  new AppError('not_found', {
    detail: `Nothing has this path. ${apiReference === 'off' ? 'Compare it with the API reference.' : 'The page /docs lists the paths of all operations.'}`,
  })
