import type { Config } from '../core/config.ts'
import { isSecure, readCookie } from './cookies.ts'
import type { HttpEvent } from './http-types.ts'

/**
 * Returns the name of the session cookie. `__Host-` prevents other hosts of the domain from setting it (RFC 6265bis
 * 4.1.3.2). Browsers reject that prefix over plain HTTP.
 */
export const getSessionCookieName = (config: Config): string =>
  isSecure(config) ? '__Host-latchkey' : 'latchkey'

/** Builds the `Set-Cookie` value of a session. The cookie lasts for `lifetimeMs`, at most for a whole session. */
export const buildSessionCookie = (
  config: Config,
  value: string,
  lifetimeMs = Number.POSITIVE_INFINITY,
): string => {
  const longestMs = config.sessionLifetimes.users.lifetimeMs
  return buildCookie(config, value, Math.ceil(Math.min(lifetimeMs, longestMs) / 1000))
}

export const buildClearedSessionCookie = (config: Config): string => buildCookie(config, '', 0)

/** Returns the session credential in the cookies of the request, if there is exactly one. */
export const readSessionCookie = (config: Config, event: Pick<HttpEvent, 'cookies'>): string | undefined =>
  readCookie(event.cookies ?? [], getSessionCookieName(config))

const buildCookie = (config: Config, value: string, maxAgeSeconds: number): string =>
  [
    `${getSessionCookieName(config)}=${value}`,
    ...(isSecure(config) ? ['Secure'] : []),
    'HttpOnly',
    'SameSite=Lax',
    'Path=/',
    `Max-Age=${maxAgeSeconds}`,
  ].join('; ')
