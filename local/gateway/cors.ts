import type { IncomingMessage } from 'node:http'
import { corsRules } from '../../lib/contract/cors-rules.ts'

/** Whether the request is a CORS preflight request. */
const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined

/** The headers that API Gateway adds to a response for its CORS configuration; none for origins that are not listed. */
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
