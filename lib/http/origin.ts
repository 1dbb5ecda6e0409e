import type { Config } from '../settings/config.ts'
import { getHeader, type HttpEvent } from './http-types.ts'

/** Where a request comes from: a page of this service, another site, or unknown if it is not from a browser. */
export type RequestOrigin = 'own' | 'foreign' | 'unknown'

/**
 * Returns where the request comes from, by headers that browsers set and pages cannot change: Fetch Metadata, or
 * `Origin` in older browsers.
 */
export const readRequestOrigin = (config: Config, event: Pick<HttpEvent, 'headers'>): RequestOrigin => {
  const site = getHeader(event, 'sec-fetch-site')
  if (site !== undefined) return site === 'same-origin' || site === 'none' ? 'own' : 'foreign'
  const origin = getHeader(event, 'origin')
  if (origin === undefined) return 'unknown'
  return origin === config.publicUrl ? 'own' : 'foreign'
}

/**
 * Whether a request that is authenticated by the cookie may change something. Forms and scripts must be on a page of
 * this service. A link, such as one to sign out, may also be on a page of an allowed origin. Browsers name the page of
 * a link in `Referer` at most, and older browsers not at all.
 */
export const canChangeByCookie = (config: Config, event: HttpEvent): boolean => {
  const origin = readRequestOrigin(config, event)
  if (origin === 'own' || event.requestContext.http.method !== 'GET') return origin === 'own'
  const referrer = URL.parse(getHeader(event, 'referer') ?? '')?.origin
  return origin === 'unknown' || (referrer !== undefined && config.allowedOrigins.includes(referrer))
}
