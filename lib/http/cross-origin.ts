import { organizationHeader } from '../client/organization-header.ts'
import type { Operation } from '../kernel/contract/operation.ts'
import type { Services } from '../services.ts'
import { getHeader, type HttpEvent, type HttpResult, type Middleware, readRoutePath } from './http-types.ts'

/*
 * What pages of other origins may send and read (Fetch 3.2). The functions decide it, because API Gateway knows only one list
 * of origins for all paths. So pages cannot read the answers of the gateway itself, such as those to too many requests.
 */

const exposedHeaders = 'Link,Location,X-Request-Id,Retry-After,WWW-Authenticate'
const preflightHeaders = {
  'access-control-allow-methods': 'GET,HEAD,POST,PUT,PATCH,DELETE',
  'access-control-allow-headers': `authorization,content-type,dpop,${organizationHeader.toLowerCase()}`,
  'access-control-max-age': '3600',
} as const

/** Whether a browser asks if a page of another origin may send a request (Fetch 4.8). */
const isPreflight = (event: HttpEvent): boolean =>
  event.requestContext.http.method === 'OPTIONS' &&
  getHeader(event, 'origin') !== undefined &&
  getHeader(event, 'access-control-request-method') !== undefined

type Headers = NonNullable<HttpResult['headers']>

/** States that an answer also depends on a header of the request (RFC 9110 12.5.5). */
export const addVary = (headers: Headers, name: string | undefined): Headers => {
  const known = headers['vary']
  if (name === undefined) return headers
  return { ...headers, vary: known === undefined ? name : `${known}, ${name}` }
}

/** Origins whose pages may read an answer: some, or every one. */
type Readers = '*' | readonly string[]

/**
 * Lets pages of the allowed origins, and those that an operation declares, send requests and read the answers. No answer allows
 * cookies. A preflight request does not name the client, so the answer to the request itself decides whether its pages
 * may read it.
 */
export const admitOrigins = (
  { config, log }: Pick<Services, 'config' | 'log'>,
  operations: readonly Operation[] = [],
): Middleware => {
  const { allowedOrigins } = config
  const rules = new Map(operations.map(({ path, readableFrom }) => [path, readableFrom] as const))
  const ruleOf = (event: HttpEvent) => rules.get(readRoutePath(event))

  const findReaders = (event: HttpEvent, ofClient: Readers): Readers => {
    const rule = ruleOf(event)
    if (rule === 'no_other_origin') return []
    if (rule === 'every_origin') return '*'
    if (rule !== 'origins_of_client') return allowedOrigins
    return ofClient === '*' ? '*' : [...allowedOrigins, ...ofClient]
  }

  const writeHeaders = (event: HttpEvent, readers: Readers): Readonly<Record<string, string>> => {
    const origin = getHeader(event, 'origin')
    if (readers === '*') return { 'access-control-allow-origin': '*' }
    const vary = readers.length > 0 || ruleOf(event) === 'origins_of_client' ? { vary: 'origin' } : {}
    return origin !== undefined && readers.includes(origin)
      ? { ...vary, 'access-control-allow-origin': origin }
      : vary
  }

  const addHeaders: Middleware['after'] = ({ event, context, response }) => {
    if (!response) return
    // A refusal repeats nothing that the page did not send.
    const isRefused = (response.statusCode ?? 0) >= 400
    const readers = findReaders(event, isRefused ? '*' : (context.requestState.readableFrom ?? []))
    const { vary, ...allowed } = writeHeaders(event, readers)
    const isReadable = 'access-control-allow-origin' in allowed
    const exposed = isReadable ? { 'access-control-expose-headers': exposedHeaders } : {}
    response.headers = addVary({ ...response.headers, ...allowed, ...exposed }, vary)
  }

  return {
    before: ({ event, context: { requestState } }) => {
      if (!isPreflight(event)) return
      const headers = writeHeaders(event, findReaders(event, '*'))
      if (!('access-control-allow-origin' in headers)) return
      const statusCode = 204
      log.info('request.preflight', {
        request_id: requestState.requestId,
        status: statusCode,
        address: event.requestContext.http.sourceIp,
      })
      // Ends the request: no other middleware runs.
      return { statusCode, headers: { ...headers, ...preflightHeaders } }
    },
    after: addHeaders,
    onError: addHeaders,
  }
}
