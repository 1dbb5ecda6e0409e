import { randomBytes } from 'node:crypto'
import type { Config } from '../core/config.ts'
import { samlRequestMs } from '../core/limits.ts'
import { isSecure, readCookie } from './cookies.ts'

/** The cookie is limited to a path, which the `__Host-` prefix does not allow. */
const getName = (config: Config): string => (isSecure(config) ? '__Secure-latchkey-saml' : 'latchkey-saml')

/**
 * Builds the cookie by which a browser proves that it started a SAML sign-in. It identifies neither a session nor a
 * user. The identity provider has the browser post its response from another site, so the cookie needs
 * `SameSite=None`. Over plain HTTP, where that does not exist, browsers send the cookie for at least two minutes.
 */
export const buildFlowCookie = (config: Config, value: string): string =>
  [
    `${getName(config)}=${value}`,
    ...(isSecure(config) ? ['Secure', 'SameSite=None'] : []),
    'HttpOnly',
    'Path=/api/2/auth/saml',
    `Max-Age=${samlRequestMs / 1000}`,
  ].join('; ')

/** Returns the value of the flow cookie among the cookies of a request, if there is exactly one of the right form. */
export const readFlowCookie = (config: Config, cookies: readonly string[]): string | undefined => {
  const value = readCookie(cookies, getName(config)) ?? ''
  return /^[\w-]{43}$/.test(value) ? value : undefined
}

export const mintFlowCookieValue = (): string => randomBytes(32).toString('base64url')
