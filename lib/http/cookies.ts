import type { Config } from '../core/config.ts'

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
