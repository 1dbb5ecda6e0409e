import { buildUrl, encodeParameters, listPathParameters, type Query } from './build-url.ts'
import { isLatchkeyError } from './latchkey-error.ts'
import type { CallOptions, ClientOptions, Credential, Fetch, Page, ProductCallOptions } from './options.ts'
import { findNextCursor } from './pages.ts'
import { readResponse } from './read-response.ts'
import type { Route } from './send.ts'
import { limitTime, retryCall } from './send.ts'

/** What all calls of a client have in common. */
export interface Connection extends ClientOptions {
  readonly fetch: Fetch
  readonly session: Session
}

/** The arguments of a method: the path parameters, the body or query, and the options. */
export interface Arguments {
  readonly path: readonly unknown[]
  readonly input: unknown
  readonly options: CallOptions & ProductCallOptions
}

export const splitArguments = ({ path, input }: Route, given: readonly unknown[]): Arguments => {
  const count = listPathParameters(path).length
  const hasInput = input !== 'no_input'
  return {
    path: given.slice(0, count),
    input: hasInput ? given[count] : undefined,
    options: (given[hasInput ? count + 1 : count] ?? {}) as Arguments['options'],
  }
}

const resolveCredential = async ({ credential }: ClientOptions): Promise<Credential> =>
  typeof credential === 'function' ? await credential() : credential

/** Returns the credential that an operation reads. An operation for anonymous callers must not learn any. */
const findCredential = async (
  { caller }: Route,
  { credential, clientAddress }: Arguments['options'],
  connection: Connection,
): Promise<Credential> => {
  if (clientAddress !== undefined) return credential ?? (await resolveCredential(connection))
  if (caller !== 'caller') return undefined
  return credential ?? connection.session.key ?? (await resolveCredential(connection))
}

/** Builds the headers of a call. The errors of `fetch` would show an invalid credential, so it is checked before. */
const buildHeaders = (
  credential: Credential,
  { headers, clientAddress }: Arguments['options'],
  connection: Connection,
  contentType: string | undefined,
): Headers => {
  const all = new Headers({ ...connection.headers, ...headers })
  if (contentType !== undefined) all.set('content-type', contentType)
  if (clientAddress !== undefined) all.set('latchkey-client-address', clientAddress)
  if (credential !== undefined && !/^[\x21-\x7e]+$/.test(credential))
    throw new TypeError('The credential contains characters that no credential has.')
  if (credential !== undefined) all.set('authorization', `Bearer ${credential}`)
  return all
}

/** Encodes the body of a call, as JSON or as a form. */
const encodeBody = ({ input: kind }: Route, input: unknown): { body?: string; contentType?: string } => {
  if (input === undefined) return {}
  if (kind === 'body') return { body: JSON.stringify(input), contentType: 'application/json' }
  if (kind !== 'form') return {}
  return { body: encodeParameters(input as Query), contentType: 'application/x-www-form-urlencoded' }
}

/** Calls an operation once, or more often if the client repeats failed calls. */
export const callOperation = async (
  connection: Connection,
  route: Route,
  { path, input, options }: Arguments,
): Promise<unknown> => {
  const url = buildUrl(connection.baseUrl, route, path, route.input === 'query' ? (input as Query) : {})
  const { method, result } = route
  const { timeoutMs = connection.timeoutMs ?? 30_000, signal } = options
  const attempt = async () => {
    const credential = await findCredential(route, options, connection)
    const { body, contentType } = encodeBody(route, input)
    const headers = buildHeaders(credential, options, connection, contentType)
    const init = { method, headers, ...(body === undefined ? {} : { body }), redirect: 'manual' } as const
    try {
      return await limitTime(
        async (limited) => {
          const response = await connection.fetch(url, { ...init, signal: limited })
          const value = await readResponse(response, result, connection.maxResponseBytes ?? 2 ** 24)
          return result === 'list' ? toPage(value, response.headers) : value
        },
        timeoutMs,
        signal,
      )
    } catch (error) {
      if (isLatchkeyError(error, 'not_authenticated')) connection.session.end(credential)
      throw error
    }
  }
  return retryCall(attempt, { method, retries: connection.retries ?? 0, signal })
}

const toPage = (value: unknown, headers: Headers): Page<unknown> => ({
  items: value as readonly unknown[],
  nextCursor: findNextCursor(headers.get('link')),
})

/** The session of a client. It exists in memory alone: nothing is stored. */
interface Session {
  readonly key: string | undefined
  readonly start: (key: string) => void
  /** Removes the session without a notice. */
  readonly drop: () => void
  /** Removes the session that the service rejected, unless another one has replaced it in the meantime. */
  readonly end: (rejected: string | undefined) => void
}

export const createSession = (onEnd: (() => void) | undefined): Session => {
  let key: string | undefined
  return {
    get key() {
      return key
    },
    start: (started) => {
      key = started
    },
    drop: () => {
      key = undefined
    },
    end: (rejected) => {
      if (key === undefined || rejected !== key) return
      key = undefined
      onEnd?.()
    },
  }
}
