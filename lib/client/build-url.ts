import type { Route } from './send.ts'

export type Query = Readonly<Record<string, unknown>>

/**
 * Encodes a path parameter, so that no value can address another operation.
 *
 * URLs treat `.`, `..` and their encoded forms as steps between folders, so they can't be encoded.
 */
const encodeParameter = (name: string, value: unknown): string => {
  const text = String(value)
  const isValid = /^(\w+_)?id$/.test(name) ? /^\d{1,15}$/.test(text) : !/^(\.{0,2})$/.test(text)
  if (!isValid || (typeof value !== 'string' && typeof value !== 'number'))
    throw new TypeError(`The path parameter ${name} is not valid.`)
  return encodeURIComponent(text)
}

/** Encodes the parameters of a query or a form. Those that are undefined are left out. */
export const encodeParameters = (values: Query): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(values))
    if (value !== undefined) parameters.append(name, String(value))
  return parameters.toString()
}

const buildQuery = (query: Query): string => {
  const text = encodeParameters(query)
  return text && `?${text}`
}

/** Returns the names of the path parameters, in their order. */
export const listPathParameters = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

/** Builds the URL of a call. @throws TypeError for a path parameter that is not valid, before anything is sent */
export const buildUrl = (
  baseUrl: string,
  { path }: Route,
  values: readonly unknown[],
  query: Query = {},
): string => {
  const names = listPathParameters(path)
  const filled = names.reduce(
    (url, name, index) => url.replace(`{${name}}`, () => encodeParameter(name, values[index])),
    path,
  )
  return baseUrl + filled + buildQuery(query)
}

const isLoopback = (hostname: string): boolean =>
  /^(.+\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/.test(hostname)

/**
 * Returns the URL that paths are appended to, without a slash at its end.
 *
 * @throws TypeError if the URL is not an origin with an optional path, or would send credentials without encryption
 */
export const readBaseUrl = (text: string, allowsHttp = false): string => {
  if (!URL.canParse(text)) throw new TypeError('baseUrl must be an absolute URL.')
  const { protocol, hostname, username, password, search, hash, origin, pathname } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') throw new TypeError('baseUrl must begin with https:.')
  if (protocol === 'http:' && !allowsHttp && !isLoopback(hostname))
    throw new TypeError('baseUrl must begin with https:, or set allowsHttp to send credentials unencrypted.')
  if (username || password) throw new TypeError('baseUrl must not contain credentials. Use credential.')
  if (search || hash) throw new TypeError('baseUrl must not contain a query or a fragment.')
  return origin + pathname.replace(/\/+$/, '')
}

/**
 * Returns the origin of the service. Nothing but a proxy of yours could answer below a path.
 *
 * @throws TypeError as `readBaseUrl` does, and for a path
 */
export const readServiceOrigin = (text: string, allowsHttp?: boolean): string => {
  const url = readBaseUrl(text, allowsHttp)
  const { origin } = new URL(url)
  if (url !== origin) throw new TypeError(`baseUrl must be an origin without a path, such as ${origin}.`)
  return origin
}
