import { randomBytes } from 'node:crypto'
import type { Config } from '../kernel/settings/config.ts'

/** Whether browsers reach the service over HTTPS. Plain HTTP is only for local mode. */
export const isSecure = ({ publicUrl }: Pick<Config, 'publicUrl'>): boolean => publicUrl.startsWith('https:')

/**
 * Returns the value of a cookie among `name=value` pairs. Duplicate cookies are ignored because their origin is
 * ambiguous: another host of the domain may have set one of them.
 */
export const readCookie = (cookies: readonly string[], name: string): string | undefined => {
  const prefix = `${name}=`
  const matching = cookies.map((pair) => pair.trim()).filter((pair) => pair.startsWith(prefix))
  return matching.length === 1 ? matching[0]?.slice(prefix.length) : undefined
}

/**
 * Returns the name of a cookie of this host. `__Host-` prevents other hosts of the domain from setting it (RFC 6265bis
 * 4.1.3.2). Browsers reject that prefix over plain HTTP.
 */
export const getHostCookieName = (config: Config, name: string): string =>
  `${isSecure(config) ? '__Host-' : ''}${name}`

/** Builds the `Set-Cookie` value of a cookie that browsers send with every request except those that other sites make. */
export const buildLaxCookie = (config: Config, name: string, value: string, maxAgeSeconds: number): string =>
  [
    `${getHostCookieName(config, name)}=${value}`,
    ...(isSecure(config) ? ['Secure'] : []),
    'HttpOnly',
    'SameSite=Lax',
    'Path=/',
    `Max-Age=${maxAgeSeconds}`,
  ].join('; ')

/**
 * Builds the `Set-Cookie` value of a cookie that browsers also send with a form of another site, which needs `SameSite=None`. Over
 * plain HTTP, where that does not exist, browsers send it for at least two minutes.
 */
export const buildCrossSiteCookie = (
  config: Config,
  name: string,
  value: string,
  maxAgeSeconds: number,
): string =>
  [
    `${getHostCookieName(config, name)}=${value}`,
    ...(isSecure(config) ? ['Secure', 'SameSite=None'] : []),
    'Path=/',
    'HttpOnly',
    `Max-Age=${maxAgeSeconds}`,
  ].join('; ')

/** Returns the name of a cookie that is sent to one path only. `__Host-` cookies are sent to all. */
export const getPathCookieName = (config: Config, name: string): string =>
  `${isSecure(config) ? '__Secure-' : ''}${name}`

interface PathCookie {
  readonly name: string
  readonly value: string
  readonly path: string
  readonly maxAgeSeconds: number
}

/** Builds the `Set-Cookie` value of a cookie that browsers send to one path only, except from other sites. */
export const buildPathCookie = (config: Config, { name, value, path, maxAgeSeconds }: PathCookie): string =>
  [
    `${getPathCookieName(config, name)}=${value}`,
    ...(isSecure(config) ? ['Secure'] : []),
    'HttpOnly',
    'SameSite=Lax',
    `Path=${path}`,
    `Max-Age=${maxAgeSeconds}`,
  ].join('; ')

/** Creates the value of a cookie by which a browser proves that it started something. */
export const createBrowserSecret = (): string => randomBytes(32).toString('base64url')

/** Returns such a value if it has the right form. */
export const readBrowserSecret = (
  config: Config,
  cookies: readonly string[],
  name: string,
): string | undefined => {
  const value = readCookie(cookies, getHostCookieName(config, name)) ?? ''
  return /^[\w-]{43}$/.test(value) ? value : undefined
}
