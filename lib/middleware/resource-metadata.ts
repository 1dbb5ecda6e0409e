import { readBaseUrl, readServiceOrigin } from '../client/build-url.ts'
import { checkOptions, type OptionTypes } from '../kernel/options/check-options.ts'

/**
 * What clients learn about an API.
 *
 * @example
 * ```ts
 * import type { ResourceMetadataOptions } from '@latchkey/middleware'
 *
 * export const options: ResourceMetadataOptions = {
 *   baseUrl: 'https://auth.example.com',
 *   resource: 'https://films.example.com/mcp',
 *   scopes: ['films.read'],
 * }
 * ```
 */
export interface ResourceMetadataOptions {
  /** The origin of the service. */
  readonly baseUrl: string
  /** The address of your API, which is also its audience: `https`, or `http` on this machine. */
  readonly resource: string
  /** The scopes that clients can ask for. */
  readonly scopes?: readonly string[]
  /** The name of your API for people. */
  readonly name?: string
  /** Where its documentation is. */
  readonly documentation?: string
  /** Accepts `http:` for hosts other than this machine. */
  readonly allowsHttp?: boolean
}

const metadataOptionTypes: OptionTypes<ResourceMetadataOptions> = {
  baseUrl: 'required string',
  resource: 'required string',
  scopes: 'any',
  name: 'string',
  documentation: 'string',
  allowsHttp: 'boolean',
}

/**
 * The metadata of an API (RFC 9728), by which clients find where to get tokens for it.
 *
 * @example
 * ```ts
 * import type { ResourceMetadata } from '@latchkey/middleware'
 *
 * export const serve = (request: Request, { path, document }: ResourceMetadata): Response | undefined =>
 *   new URL(request.url).pathname === path ? Response.json(document) : undefined
 * ```
 */
export interface ResourceMetadata {
  /** Where your API serves the document. */
  readonly path: string
  /** The same with the origin, for the option `resourceMetadata` of `createJwtMiddleware`. */
  readonly url: string
  readonly document: Readonly<Record<string, string | readonly string[]>>
}

/**
 * Describes an API to clients that do not know it, such as agents (RFC 9728). Serve the document, and name its address to
 * `createJwtMiddleware`.
 *
 * @throws TypeError if an address is not accepted, and for unknown or undefined options
 *
 * @example
 * ```ts
 * import { createJwtMiddleware, createResourceMetadata } from '@latchkey/middleware'
 *
 * const baseUrl = 'https://auth.example.com'
 * const resource = 'https://films.example.com/mcp'
 * export const metadata = createResourceMetadata({ baseUrl, resource, scopes: ['films.read'] })
 * export const tokens = createJwtMiddleware({ baseUrl, audience: resource, resourceMetadata: metadata.url })
 * ```
 */
export const createResourceMetadata = (options: ResourceMetadataOptions): ResourceMetadata => {
  checkOptions(options, metadataOptionTypes, 'an option of createResourceMetadata')
  const { baseUrl, resource, scopes = [], name, documentation, allowsHttp } = options
  const { origin, pathname, search, hash, username, password } = new URL(resource)
  if (hash !== '' || search !== '' || username !== '' || password !== '')
    throw new TypeError('resource must have no query, fragment or credentials.')
  // The same rule as for the service: plain HTTP only on this machine.
  readBaseUrl(origin, allowsHttp)
  const path = `/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}`
  return {
    path,
    url: `${origin}${path}`,
    document: {
      resource,
      authorization_servers: [readServiceOrigin(baseUrl, allowsHttp)],
      bearer_methods_supported: ['header'],
      ...(scopes.length > 0 ? { scopes_supported: scopes } : {}),
      ...(name !== undefined && { resource_name: name }),
      ...(documentation !== undefined && { resource_documentation: documentation }),
    },
  }
}
