import { detectCredentialKind } from '../accounts/sign-in/authentication.ts'
import type { Config } from '../settings/config.ts'
import { buildLaxCookie, getHostCookieName, readCookie } from './cookies.ts'
import { getHeader, type HttpEvent } from './http-types.ts'

const sessionCookieName = 'latchkey'

/** Returns the name of the session cookie. */
export const getSessionCookieName = (config: Config): string => getHostCookieName(config, sessionCookieName)

/** Builds the `Set-Cookie` value of a session. The cookie lasts for `lifetimeMs`, at most for a whole session. */
export const buildSessionCookie = (
  config: Config,
  value: string,
  lifetimeMs = Number.POSITIVE_INFINITY,
): string => {
  const longestMs = config.sessionLifetimes.users.lifetimeMs
  return buildLaxCookie(config, sessionCookieName, value, Math.ceil(Math.min(lifetimeMs, longestMs) / 1000))
}

export const buildClearedSessionCookie = (config: Config): string =>
  buildLaxCookie(config, sessionCookieName, '', 0)

/**
 * Returns the session credential in the cookies of the request, if there is exactly one. A credential of another kind was
 * not put there by this service, and does not count.
 */
export const readSessionCookie = (config: Config, event: Pick<HttpEvent, 'cookies'>): string | undefined => {
  const value = readCookie(event.cookies ?? [], getSessionCookieName(config))
  return value !== undefined && detectCredentialKind(value) === 'session' ? value : undefined
}

/** Returns the credential of an `Authorization` header (RFC 6750 2.1), or an empty text if the header is malformed. */
export const parseBearer = (header: string): string => /^Bearer +(\S+)$/i.exec(header)?.[1] ?? ''

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
