import type { Config } from '../core/config.ts'
import { getHeader, type HttpEvent } from './http-types.ts'

export type RequestOrigin = 'own' | 'foreign' | 'unknown'

/**
 * Whether the request came from one of our own pages, by what the browser says and no page can change (Fetch
 * Metadata, or `Origin` from older browsers). A request that says nothing of the kind came from no such browser.
 */
export const readRequestOrigin = (config: Config, event: HttpEvent): RequestOrigin => {
  const site = getHeader(event, 'sec-fetch-site')
  if (site !== undefined) return site === 'same-origin' || site === 'none' ? 'own' : 'foreign'
  const origin = getHeader(event, 'origin')
  if (origin === undefined) return 'unknown'
  return origin === config.publicUrl ? 'own' : 'foreign'
}

/**
 * Whether the browser whose cookie came along may change something. A form or a script has to be of our own pages. A
 * link, such as the one to sign out, may also stand on a page of a product of ours: of it the browser tells `Referer`
 * at most, and older ones nothing.
 */
export const canChangeByCookie = (config: Config, event: HttpEvent): boolean => {
  const origin = readRequestOrigin(config, event)
  if (origin === 'own' || event.requestContext.http.method !== 'GET') return origin === 'own'
  const from = URL.parse(getHeader(event, 'referer') ?? '')?.origin
  return origin === 'unknown' || (from !== undefined && config.allowedOrigins.includes(from))
}
