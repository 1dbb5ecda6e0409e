import type { OptionTypes } from '../kernel/options/check-options.ts'

/**
 * A function with the behavior of the global `fetch`.
 *
 * @example
 * ```ts
 * import { createClient, type Fetch } from '@latchkey/client'
 *
 * const logged: Fetch = (url, init) => {
 *   console.log(url)
 *   return fetch(url, init)
 * }
 * export const latchkey = createClient({ baseUrl: 'https://auth.example.com', fetch: logged })
 * ```
 */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** A session, an API token or a reset token. */
export type Credential = string | undefined

/**
 * The options of `createClient`.
 *
 * @example
 * ```ts
 * import type { ClientOptions } from '@latchkey/client'
 *
 * export const options: ClientOptions = { baseUrl: 'https://auth.example.com', timeoutMs: 5000, retries: 2 }
 * ```
 */
export interface ClientOptions {
  /** The origin of the service, such as `https://auth.example.com`. Paths of the operations are appended to it. */
  readonly baseUrl: string
  /** The credential of every call, or a function that returns it for each call. A signed-in session replaces it. */
  readonly credential?: string | (() => Credential | Promise<Credential>)
  /** Replaces the global `fetch`, for example for a proxy or for tests. */
  readonly fetch?: Fetch
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>>
  /** The longest time for one attempt, with the body of the response. The default is 30,000 ms. */
  readonly timeoutMs?: number
  /**
   * How often a call is repeated. The default is 0. Only failures that changed nothing are repeated: a 429, or a
   * `temporarily_unavailable` of the service, with a `Retry-After` of at most 30 seconds, and for GET a network error or a
   * 502, 503 or 504. A change with the reason `outcome_unknown` or `partly_changed` is never repeated.
   */
  readonly retries?: number
  /** A larger response is rejected with `unexpected_response`. The default is 16 MiB. */
  readonly maxResponseBytes?: number
  /** Accepts `http:` for hosts other than this machine, such as inside a private network. Credentials are readable there. */
  readonly allowsHttp?: boolean
  /** Called when the service no longer accepts the session that `signIn` or `startSession` started. */
  readonly onSessionEnd?: () => void
}

export const clientOptionTypes: OptionTypes<ClientOptions> = {
  baseUrl: 'required string',
  credential: 'any',
  fetch: 'function',
  headers: 'any',
  timeoutMs: 'number',
  retries: 'number',
  maxResponseBytes: 'number',
  allowsHttp: 'boolean',
  onSessionEnd: 'function',
}

/**
 * The options of a call.
 *
 * @example
 * ```ts
 * import { type CallOptions, createClient } from '@latchkey/client'
 *
 * const options: CallOptions = { signal: AbortSignal.timeout(1000) }
 * await createClient({ baseUrl: 'https://auth.example.com' }).users.getUser(7, {}, options)
 * ```
 */
export interface CallOptions {
  /** Aborts the call. It then rejects with the reason of the signal. */
  readonly signal?: AbortSignal
  /** Sent in addition to the headers of the client. */
  readonly headers?: Readonly<Record<string, string>>
  /** Replaces `timeoutMs` of the client. */
  readonly timeoutMs?: number
  /** Replaces the session and the credential of the client, for servers that call for many users. */
  readonly credential?: string
}

/**
 * For calls that the server of a product makes for its users.
 *
 * @example
 * ```ts
 * import type { ProductCallOptions } from '@latchkey/client'
 *
 * export const options: ProductCallOptions = { clientAddress: '203.0.113.7' }
 * ```
 */
export interface ProductCallOptions extends CallOptions {
  /**
   * The IPv4 or IPv6 address of the end user. The credential has to be an API token with the scope `client-address:set`.
   */
  readonly clientAddress?: string
}

export const callOptionTypes: OptionTypes<ProductCallOptions> = {
  signal: 'any',
  headers: 'any',
  timeoutMs: 'number',
  credential: 'string',
  clientAddress: 'string',
}

/**
 * A part of a list.
 *
 * @example
 * ```ts
 * import { createClient, type Page } from '@latchkey/client'
 *
 * const latchkey = createClient({ baseUrl: 'https://auth.example.com' })
 * export const page: Page<{ username: string }> = await latchkey.users.listUsers({ limit: 20 })
 * ```
 */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** Pass it as `cursor` to get the next page. Undefined on the last page. A short page need not be the last. */
  readonly nextCursor: string | undefined
}
