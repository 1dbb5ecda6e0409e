import { randomBytes } from 'node:crypto'
import type { Config } from '../core/config.ts'
import { samlRequestMs } from '../core/limits.ts'

const isSecure = (config: Config): boolean => config.publicUrl.startsWith('https:')

/** Kept to its path by the browser, so not one that `__Host-` could name. */
const nameOf = (config: Config): string => (isSecure(config) ? '__Secure-latchkey-saml' : 'latchkey-saml')

/**
 * The cookie by which a browser proves that it began a sign-in at an identity provider, which has it post the answer from
 * another site: `SameSite=None` lets the cookie come along with that. It stands for no session and for no user.
 *
 * Plain http has no `SameSite=None`; without the attribute, browsers let a cookie come along for two minutes, or always.
 */
export const buildFlowCookie = (config: Config, value: string): string =>
  [
    `${nameOf(config)}=${value}`,
    ...(isSecure(config) ? ['Secure', 'SameSite=None'] : []),
    'HttpOnly',
    'Path=/api/2/auth/saml',
    `Max-Age=${samlRequestMs / 1000}`,
  ].join('; ')

/** The value among the cookies of a request. One that is there twice counts as none: which is whose? */
export const readFlowCookie = (config: Config, cookies: readonly string[]): string | undefined => {
  const prefix = `${nameOf(config)}=`
  const found = cookies.map((pair) => pair.trim()).filter((pair) => pair.startsWith(prefix))
  const [value, another] = found.map((pair) => pair.slice(prefix.length))
  return value !== undefined && another === undefined && /^[\w-]{43}$/.test(value) ? value : undefined
}

export const mintFlowCookieValue = (): string => randomBytes(32).toString('base64url')
