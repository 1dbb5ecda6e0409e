import type { Config } from '../core/config.ts'
import { type HttpEvent, headerOf } from './exchange.ts'

export type RequestOrigin = 'own' | 'foreign' | 'unknown'

/**
 * Whether the request came from one of our own pages, by what the browser says and no page can change (Fetch
 * Metadata, or `Origin` from older browsers). A request that says nothing of the kind came from no such browser.
 */
export const originOfRequest = (config: Config, event: HttpEvent): RequestOrigin => {
  const site = headerOf(event, 'sec-fetch-site')
  if (site !== undefined) return site === 'same-origin' || site === 'none' ? 'own' : 'foreign'
  const origin = headerOf(event, 'origin')
  if (origin === undefined) return 'unknown'
  return origin === config.publicUrl ? 'own' : 'foreign'
}
