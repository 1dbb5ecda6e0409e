import { AppError } from '../errors/errors.ts'
import type { Services } from '../services.ts'
import { getHeader, type HttpEvent, type HttpResult, type Middleware } from './http-types.ts'

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

/** Whether a browser asks if a page of another origin may send a request (Fetch 4.8). */
const isPreflight = (event: HttpEvent): boolean =>
  event.requestContext.http.method === 'OPTIONS' &&
  getHeader(event, 'origin') !== undefined &&
  getHeader(event, 'access-control-request-method') !== undefined

/**
 * Answers preflight requests if pages of other origins may call the service. API Gateway passes them to routes that
 * take every method (reported in `aws/serverless-application-model` issue 1603 and `anomalyco/sst` issue 5493). It adds the
 * headers that allow the request, and a browser accepts them only with a success.
 */
export const answerPreflight = ({ config, log }: Pick<Services, 'config' | 'log'>): Middleware => ({
  before: ({ event, context: { requestState } }) => {
    if (config.allowedOrigins.length === 0 || !isPreflight(event)) return
    const statusCode = 204
    log.info('request.preflight', {
      request_id: requestState.requestId,
      status: statusCode,
      address: event.requestContext.http.sourceIp,
    })
    // Ends the request: no other step runs.
    return { statusCode }
  },
})

/** Creates the error for a method that a path does not have, with the methods that it has (RFC 9110 15.5.6). */
export const createMethodNotAllowed = (methods: Iterable<string>): AppError =>
  new AppError('method_not_allowed', { headers: { allow: [...new Set(methods)].sort().join(', ') } })
