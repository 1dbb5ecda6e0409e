import type { IncomingMessage } from 'node:http'

/** What pages of other origins may send and read; the deployed API is configured with the same. */
export const corsRules = {
  allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowHeaders: ['authorization', 'content-type'],
  exposeHeaders: ['x-request-id', 'link', 'location', 'retry-after'],
  maxAgeSeconds: 3600,
} as const

/** Whether a browser asks here what a page of another origin may do. */
export const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined

/** The headers that API Gateway's CORS configuration adds to an answer; none for an origin that isn't listed. */
export const corsHeaders = (req: IncomingMessage, origins: readonly string[]): Record<string, string> => {
  const { origin } = req.headers
  if (origins.length === 0) return {}
  if (origin === undefined || !origins.includes(origin)) return { vary: 'origin' }
  const allowed = { 'access-control-allow-origin': origin, vary: 'origin' }
  if (!isPreflight(req))
    return { ...allowed, 'access-control-expose-headers': corsRules.exposeHeaders.join(',') }
  return {
    ...allowed,
    'access-control-allow-methods': corsRules.allowMethods.join(','),
    'access-control-allow-headers': corsRules.allowHeaders.join(','),
    'access-control-max-age': String(corsRules.maxAgeSeconds),
  }
}
