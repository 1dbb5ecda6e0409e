import { detectCredentialKind } from '../accounts/sign-in/authentication.ts'
import type { Config } from '../settings/config.ts'
import { buildLaxCookie, getHostCookieName, readCookie } from './cookies.ts'
import type { HttpEvent } from './http-types.ts'

const name = 'latchkey'

/** Returns the name of the session cookie. */
export const getSessionCookieName = (config: Config): string => getHostCookieName(config, name)

/** Builds the `Set-Cookie` value of a session. The cookie lasts for `lifetimeMs`, at most for a whole session. */
export const buildSessionCookie = (
  config: Config,
  value: string,
  lifetimeMs = Number.POSITIVE_INFINITY,
): string => {
  const longestMs = config.sessionLifetimes.users.lifetimeMs
  return buildLaxCookie(config, name, value, Math.ceil(Math.min(lifetimeMs, longestMs) / 1000))
}

export const buildClearedSessionCookie = (config: Config): string => buildLaxCookie(config, name, '', 0)

/**
 * Returns the session credential in the cookies of the request, if there is exactly one. A credential of another kind was
 * not put there by this service, and does not count.
 */
export const readSessionCookie = (config: Config, event: Pick<HttpEvent, 'cookies'>): string | undefined => {
  const value = readCookie(event.cookies ?? [], getSessionCookieName(config))
  return value !== undefined && detectCredentialKind(value) === 'session' ? value : undefined
}
