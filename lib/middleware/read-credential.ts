import { AccessError } from './access-error.ts'

/**
 * What the middleware reads of a request of a framework that it does not know. Names of headers are lowercase.
 *
 * @example
 * ```ts
 * import type { IncomingMessage } from 'node:http'
 * import type { IncomingRequest } from '@latchkey/middleware'
 *
 * export const toIncomingRequest = ({ method = 'GET', url, headersDistinct }: IncomingMessage): IncomingRequest => ({
 *   method,
 *   url,
 *   getHeader: (name) => headersDistinct[name]?.join(', '),
 * })
 * ```
 */
export interface IncomingRequest {
  readonly method: string
  /** The path of the request, with or without its origin and query. Only proofs of keys need it. */
  readonly url?: string | undefined
  readonly getHeader: (name: string) => string | undefined
}

/** What the credential of a session begins with. */
export const sessionPrefix = 'lks_'

const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/** A cookie that occurs twice is ignored: another host of the domain may have set one of them. */
const readCookie = (header: string | undefined, name: string): string | undefined => {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  const values = pairs.filter((pair) => pair.startsWith(`${name}=`))
  return values.length === 1 ? values[0]?.slice(name.length + 1) : undefined
}

/** Characters. Servers accept no longer headers by default, and no credential is that long. */
const longestHeader = 16_384

/** A token, and whether the request claims to prove its key (RFC 9449 7.1). */
export interface SentToken {
  readonly token: string
  readonly isProven: boolean
}

const readAuthorization = (header: string): SentToken | undefined => {
  // The search for the end of a text of megabytes can exceed the stack.
  if (header.length > longestHeader) return undefined
  const [, scheme = '', token] = /^(Bearer|DPoP) +([\x21-\x2b\x2d-\x7e]+)$/i.exec(header) ?? []
  return token === undefined ? undefined : { token, isProven: scheme.toLowerCase() === 'dpop' }
}

/** Returns the access token of a request (RFC 6750 2.1, RFC 9449 7.1). */
export const readToken = ({ getHeader }: IncomingRequest): SentToken | undefined =>
  readAuthorization(getHeader('authorization') ?? '')

/**
 * Returns the bearer credential of a request (RFC 6750, section 2.1), or its session cookie if `cookieName` is given. A
 * header `Authorization` counts even if it is wrong.
 *
 * @throws AccessError for a change with the cookie that a page of another site may have caused
 */
export const readCredential = (
  { method, getHeader }: IncomingRequest,
  cookieName: string | undefined,
): string | undefined => {
  const authorization = getHeader('authorization')
  if (authorization !== undefined) {
    const sent = readAuthorization(authorization)
    return sent?.isProven ? undefined : sent?.token
  }
  const cookie = cookieName === undefined ? undefined : readCookie(getHeader('cookie'), cookieName)
  // The service sets sessions alone as its cookie. Anything else is not of the service.
  if (!cookie?.startsWith(sessionPrefix) || !/^[\x21-\x7e]+$/.test(cookie)) return undefined
  if (!safeMethods.includes(method.toUpperCase()) && getHeader('sec-fetch-site') !== 'same-origin')
    throw new AccessError('otherSite')
  return cookie
}
