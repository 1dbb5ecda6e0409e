import { checkOptions } from '../kernel/options/check-options.ts'
import { buildUrl, type Query, readBaseUrl } from './build-url.ts'
import { type Connection, callOperation, createSession, splitArguments } from './call-operation.ts'
import type { AuthLoginEndpointRequest, AuthLoginEndpointResponse } from './generated/models.ts'
import type { Operations } from './generated/operations.ts'
import { routes } from './generated/routes.ts'
import { isLatchkeyError, LatchkeyError } from './latchkey-error.ts'
import { type CallOptions, type ClientOptions, clientOptionTypes, type Page } from './options.ts'
import { iteratePages } from './pages.ts'
import { parseRoute, type Route } from './send.ts'

/**
 * Signs in and out. The session stays in the memory of the client, and all calls use it.
 *
 * @example
 * ```ts
 * import { createClient, type SessionMethods } from '@latchkey/client'
 *
 * const session: SessionMethods = createClient({ baseUrl: 'https://auth.example.com' })
 * await session.signIn({ username: 'ada', password: 'silent films are the best' })
 * await session.signOut()
 * ```
 */
export interface SessionMethods {
  /** Whether the client has a session. The service may have ended it: `onSessionEnd` reports that after the next call. */
  readonly hasSession: boolean
  /** Signs in and uses the session for the following calls. @throws LatchkeyError as `sessions.login` does */
  signIn(body: AuthLoginEndpointRequest, options?: CallOptions): Promise<AuthLoginEndpointResponse>
  /** Uses the session of another way to sign in, such as `passkeys.loginWithPasskey`. */
  startSession(signIn: { readonly session_key: string }): void
  /** Ends the session at the service and removes it. If that fails, the session stays, so that it can be repeated. */
  signOut(options?: CallOptions): Promise<void>
}

/**
 * A client of the HTTP interface. Methods are grouped like the operations of the reference.
 *
 * @example
 * ```ts
 * import type { LatchkeyClient } from '@latchkey/client'
 *
 * export const greet = async (latchkey: LatchkeyClient) => `Hello ${(await latchkey.users.getCurrentUser()).username}`
 * ```
 */
export type LatchkeyClient = Operations & SessionMethods

/**
 * Creates a client of a service. It uses nothing but `fetch`, and stores and logs nothing.
 *
 * @throws TypeError if `baseUrl` is not a URL that credentials may be sent to, and for unknown or undefined options
 *
 * @example
 * ```ts
 * import { createClient } from '@latchkey/client'
 *
 * const latchkey = createClient({ baseUrl: 'https://auth.example.com', credential: () => process.env['LATCHKEY_TOKEN'] })
 * export const { username } = await latchkey.users.getCurrentUser()
 * ```
 */
export const createClient = (options: ClientOptions): LatchkeyClient => {
  checkOptions(options, clientOptionTypes, 'an option of createClient')
  const session = createSession(options.onSessionEnd)
  const connection: Connection = {
    ...options,
    baseUrl: readBaseUrl(options.baseUrl, options.allowsHttp),
    // The global function is looked up for each call: tools that watch requests replace it.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    session,
  }
  const operations = buildOperations(connection)
  const startSession: SessionMethods['startSession'] = ({ session_key: key }) => {
    if (typeof key !== 'string' || key === '')
      throw new LatchkeyError({ code: 'unexpected_response', detail: 'The sign-in returned no session.' })
    session.start(key)
  }
  return Object.defineProperties(operations as LatchkeyClient, {
    hasSession: { get: () => session.key !== undefined },
    startSession: { value: startSession },
    signIn: {
      value: async (body: AuthLoginEndpointRequest, callOptions?: CallOptions) => {
        const signIn = await operations.sessions.login(body, callOptions)
        startSession(signIn)
        return signIn
      },
    },
    signOut: {
      value: async (callOptions: CallOptions = {}) => {
        const { key } = session
        if (key === undefined) return
        try {
          await operations.sessions.logout({ ...callOptions, credential: key })
        } catch (error) {
          // The session has already ended, which is what the caller wants.
          if (!isLatchkeyError(error, 'not_authenticated')) throw error
        }
        if (session.key === key) session.drop()
      },
    },
  })
}

type Method = (...given: readonly unknown[]) => unknown

const buildOperations = (connection: Connection): Operations =>
  Object.fromEntries(
    Object.entries(routes).map(([group, texts]) => [
      group,
      Object.fromEntries(
        Object.entries(texts).flatMap(([name, text]) => buildMethods(connection, name, parseRoute(text))),
      ),
    ]),
  ) as Operations

const buildMethods = (connection: Connection, name: string, route: Route): [string, Method][] => {
  if (route.result === 'url') return [[name, (...given) => buildAddress(connection, route, given)]]
  const call: Method = async (...given) => callOperation(connection, route, splitArguments(route, given))
  if (route.result !== 'list') return [[name, call]]
  return [
    [name, call],
    [name.replace(/^list/, 'iterate'), (...given) => iterate(connection, route, given)],
  ]
}

const buildAddress = (connection: Connection, route: Route, given: readonly unknown[]): string => {
  const { path, input } = splitArguments(route, given)
  return buildUrl(connection.baseUrl, route, path, route.input === 'query' ? (input as Query) : {})
}

const iterate = (connection: Connection, route: Route, given: readonly unknown[]) => {
  const { path, input, options } = splitArguments(route, given)
  const loadPage = (cursor: string | undefined) => {
    const query = { ...(input as Query), ...(cursor !== undefined && { cursor }) }
    return callOperation(connection, route, { path, input: query, options }) as Promise<Page<unknown>>
  }
  return iteratePages(loadPage, options.signal)
}
