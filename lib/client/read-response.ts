import type { PasswordPolicy } from './generated/models.ts'
import { type InvalidField, LatchkeyError, type LatchkeyErrorCode } from './latchkey-error.ts'
import type { Result } from './send.ts'

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
  const { errors, password_policy: policy } = problem
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
  })
}

/** Reads the result of a call. @throws LatchkeyError for every response that the operation does not succeed with */
export const readResponse = async (
  response: Response,
  result: Result,
  maxBytes: number,
): Promise<unknown> => {
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
