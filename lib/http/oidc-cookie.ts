import { randomBytes } from 'node:crypto'
import type { Config } from '../core/config.ts'
import { oidcInteractionMs } from '../core/limits.ts'
import { isSecure, readCookie } from './cookies.ts'

/*
 * By this cookie a browser proves that it started an authorization, so that no one can have another person complete theirs.
 * It identifies neither a session nor a user. One cookie serves all authorizations of a browser, because several tabs can
 * sign in at once.
 */

/** `__Host-` prevents other hosts of the domain from setting the cookie (RFC 6265bis 4.1.3.2), but needs HTTPS. */
const getName = (config: Config): string => `${isSecure(config) ? '__Host-' : ''}latchkey-oidc`

/** Returns the value of the cookie if it has the right form. */
export const readOidcCookie = (config: Config, cookies: readonly string[]): string | undefined => {
  const value = readCookie(cookies, getName(config)) ?? ''
  return /^[\w-]{43}$/.test(value) ? value : undefined
}

export const createOidcCookieValue = (): string => randomBytes(32).toString('base64url')

/** Builds the `Set-Cookie` value. It lasts as long as an authorization that starts now. */
export const buildOidcCookie = (config: Config, value: string): string =>
  [
    `${getName(config)}=${value}`,
    ...(isSecure(config) ? ['Secure'] : []),
    'HttpOnly',
    'SameSite=Lax',
    'Path=/',
    `Max-Age=${oidcInteractionMs / 1000}`,
  ].join('; ')
