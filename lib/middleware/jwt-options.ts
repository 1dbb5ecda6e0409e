import type { Fetch } from '../client/options.ts'
import type { OptionTypes } from '../kernel/options/check-options.ts'

/**
 * The options of `createJwtMiddleware`.
 *
 * @example
 * ```ts
 * import type { JwtMiddlewareOptions } from '@latchkey/middleware'
 *
 * export const options: JwtMiddlewareOptions = {
 *   baseUrl: 'https://auth.example.com',
 *   audience: 'https://films.example.com',
 * }
 * ```
 */
export interface JwtMiddlewareOptions {
  /** The origin of the service, such as `https://auth.example.com`. The public keys and introspection are there. */
  readonly baseUrl: string
  /** The name of your API in tokens. Tokens for others are refused. Several names are accepted while one replaces another. */
  readonly audience: string | readonly string[]
  /**
   * The `client_id` of tokens that are accepted: those of OpenID Connect clients, and `latchkey` for JWTs of `create_jwt`.
   * Without it, the API accepts its audience from each client that an administrator allows to ask for it.
   */
  readonly clients?: readonly string[]
  /** Accepts guests of access links. They have the kind `access_link` and no permissions. The default is false. */
  readonly acceptsGuests?: boolean
  /**
   * Accepts access tokens that a client got for itself, without a user. They have the kind `machine`, the ID 0, and their
   * `client_id` as the username. The default is false.
   */
  readonly acceptsMachines?: boolean
  /**
   * The origin of your API as its clients see it, such as `https://films.example.com`. Tokens that are bound to a key (DPoP,
   * RFC 9449) need it. Without it, they are refused.
   */
  readonly origin?: string
  /**
   * Where your API describes itself (RFC 9728): the `url` of `createResourceMetadata`. Each refusal names it, so that clients
   * find where to get a token.
   */
  readonly resourceMetadata?: string
  /** What tokens have as `iss`, if the API reaches the service by another address. The default is `baseUrl`. */
  readonly issuer?: string
  /** How far the clocks of the service and of the API may differ, up to 60 seconds. The default is 5. */
  readonly clockToleranceSeconds?: number
  /** A confidential OpenID Connect client, for requirements with `asksService`. */
  readonly introspection?: IntrospectionClient
  /** How long the service may take. The default is 5,000 ms. */
  readonly timeoutMs?: number
  /** Accepts `http:` for hosts other than this machine. */
  readonly allowsHttp?: boolean
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch
}

/**
 * The credentials of a client for introspection (RFC 7662).
 *
 * @example
 * ```ts
 * import type { IntrospectionClient } from '@latchkey/middleware'
 *
 * export const introspection: IntrospectionClient = {
 *   clientId: process.env['CLIENT_ID'] ?? '',
 *   clientSecret: process.env['CLIENT_SECRET'] ?? '',
 * }
 * ```
 */
export interface IntrospectionClient {
  readonly clientId: string
  readonly clientSecret: string
}

export const jwtOptionTypes: OptionTypes<JwtMiddlewareOptions> = {
  baseUrl: 'required string',
  audience: 'required any',
  clients: 'any',
  acceptsGuests: 'boolean',
  acceptsMachines: 'boolean',
  origin: 'string',
  resourceMetadata: 'string',
  issuer: 'string',
  clockToleranceSeconds: 'number',
  introspection: 'any',
  timeoutMs: 'number',
  allowsHttp: 'boolean',
  fetch: 'function',
}

export const introspectionTypes: OptionTypes<IntrospectionClient> = {
  clientId: 'required string',
  clientSecret: 'required string',
}
