import type { Route } from './route.ts'

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
