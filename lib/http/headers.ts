import type { Config } from '../core/config.ts'
import { isSecure } from './cookies.ts'
import type { Middleware } from './http-types.ts'

/** The headers that protect every response. */
export const protectiveHeaders = {
  // Nearly every response contains a credential or requires one, so shared caches must not store any of them.
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

/** Sets the headers that every response has, including errors. Headers of the response itself take precedence. */
export const setHeaders = (config: Config): Middleware => {
  const fixed = {
    ...protectiveHeaders,
    ...(isSecure(config) ? { 'strict-transport-security': 'max-age=63072000' } : {}),
  }
  const set: Middleware['after'] = ({ context, response }) => {
    if (response)
      response.headers = { ...fixed, 'x-request-id': context.requestState.requestId, ...response.headers }
  }
  return { after: set, onError: set }
}
