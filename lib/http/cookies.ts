import type { Config } from '../core/config.ts'
import { sessionLifetimeMs } from '../core/limits.ts'
import type { HttpEvent } from './http-types.ts'

const isSecure = (config: Config): boolean => config.publicUrl.startsWith('https:')

/** `__Host-` keeps other hosts of the domain from planting one (RFC 6265bis 4.1.3.2); plain http can't have it. */
export const sessionCookieName = (config: Config): string =>
  isSecure(config) ? '__Host-latchkey' : 'latchkey'

const sessionCookieWith = (config: Config, value: string, maxAgeSeconds: number): string =>
  [
    `${sessionCookieName(config)}=${value}`,
    ...(isSecure(config) ? ['Secure'] : []),
    'HttpOnly',
    'SameSite=Lax',
    'Path=/',
    `Max-Age=${maxAgeSeconds}`,
  ].join('; ')

/** The cookie of a session that lives for so long at most. */
export const buildSessionCookie = (config: Config, value: string, lifetimeMs = sessionLifetimeMs): string =>
  sessionCookieWith(config, value, Math.ceil(Math.min(lifetimeMs, sessionLifetimeMs) / 1000))

export const buildClearedSessionCookie = (config: Config): string => sessionCookieWith(config, '', 0)

/** The session credential in the request's cookies. One that is there twice counts as none: which is whose? */
export const readSessionCookie = (config: Config, event: HttpEvent): string | undefined => {
  const prefix = `${sessionCookieName(config)}=`
  const found = (event.cookies ?? []).map((pair) => pair.trim()).filter((pair) => pair.startsWith(prefix))
  return found.length === 1 ? found[0]?.slice(prefix.length) : undefined
}
