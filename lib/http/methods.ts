import { AppError } from '../errors/errors.ts'
import type { HttpEvent, HttpResult, Middleware } from './http-types.ts'

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
