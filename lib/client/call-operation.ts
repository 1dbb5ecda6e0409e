import { checkOptions } from '../kernel/options/check-options.ts'
import { buildUrl, encodeParameters, listPathParameters, type Query } from './build-url.ts'
import type { PasswordPolicy } from './generated/models.ts'
import {
  type InvalidField,
  isLatchkeyError,
  LatchkeyError,
  type LatchkeyErrorCode,
} from './latchkey-error.ts'
import {
  type CallOptions,
  type ClientOptions,
  type Credential,
  callOptionTypes,
  type Fetch,
  type Page,
  type ProductCallOptions,
} from './options.ts'
import { findNextCursor } from './pages.ts'
import { limitTime, type Result, type Route, retryCall } from './send.ts'

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

/** @throws TypeError for unknown or undefined options, such as a credential that is missing */
export const splitArguments = ({ path, input }: Route, given: readonly unknown[]): Arguments => {
  const count = listPathParameters(path).length
  const hasInput = input !== 'no_input'
  const options = given[hasInput ? count + 1 : count] ?? {}
  checkOptions(options, callOptionTypes, 'an option of a call')
  return {
    path: given.slice(0, count),
    input: hasInput ? given[count] : undefined,
    options: options as Arguments['options'],
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
    const init = { method, headers, ...(body !== undefined && { body }), redirect: 'manual' } as const
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

type JsonObject = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null
const toText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Reads a body as text. @throws LatchkeyError if it is larger than `maxBytes` */
const readText = async (response: Response, maxBytes: number): Promise<string> => {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  while (reader) {
    const { done, value } = await reader.read()
    if (done) break
    bytes += value.byteLength
    if (bytes > maxBytes) {
      await reader.cancel()
      throw reject(response, 'The response is too large.')
    }
    text += decoder.decode(value, { stream: true })
  }
  return text + decoder.decode()
}

const reject = ({ status }: Response, detail: string): LatchkeyError =>
  new LatchkeyError({ code: 'unexpected_response', status, detail })

/** Objects that are copied field by field would take a field of this name as their prototype. */
const dropPrototype = (name: string, value: unknown): unknown => (name === '__proto__' ? undefined : value)

/** Returns undefined for a text that is not JSON. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text, dropPrototype)
  } catch {
    return undefined
  }
}

const isInvalidField = (value: unknown): value is InvalidField =>
  isObject(value) && typeof value['field'] === 'string' && typeof value['message'] === 'string'

const readSeconds = (header: string | null): number | undefined =>
  header !== null && /^\d{1,9}$/.test(header) ? Number(header) : undefined

/** Builds the error of a response with a problem body (RFC 9457), or with any other body. */
const readError = (response: Response, text: string): LatchkeyError => {
  const { status, headers } = response
  const body = parseJson(text)
  const problem = isObject(body) ? body : {}
  const code = toText(problem['code'])
  const { errors, password_policy: policy, challenge } = problem
  return new LatchkeyError({
    code: (code ?? (status >= 400 ? 'gateway_error' : 'unexpected_response')) as LatchkeyErrorCode,
    status,
    detail:
      toText(problem['detail']) ??
      toText(problem['message']) ??
      toText(problem['error_description']) ??
      `The status is ${status}.`,
    reason: toText(problem['reason']),
    errors: Array.isArray(errors) ? errors.filter(isInvalidField) : [],
    requestId: toText(problem['request_id']) ?? headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: readSeconds(headers.get('retry-after')),
    secondFactorToken: toText(problem['second_factor_token']),
    // The service checks its responses against the model.
    passwordPolicy: isObject(policy) ? (policy as PasswordPolicy) : undefined,
    challenge: isObject(challenge) ? challenge : undefined,
  })
}

/** Reads the result of a call. @throws LatchkeyError for every response that the operation does not succeed with */
const readResponse = async (response: Response, result: Result, maxBytes: number): Promise<unknown> => {
  const text = await readText(response, maxBytes)
  if (!response.ok) throw readError(response, text)
  if (result === 'none') return undefined
  if (result === 'text') return text
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '')
  const body = isJson ? parseJson(text) : undefined
  if (!isObject(body) || (result === 'list' && !Array.isArray(body)))
    throw reject(response, 'The response is not the JSON that the operation returns.')
  return body
}
