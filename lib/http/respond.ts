import * as z from 'zod/mini'
import type { Responses } from '../contract/operation.ts'
import type { Services } from '../services.ts'
import { getOperation, type HttpResult, type Middleware } from './http-types.ts'

/** The reply of a use case, before it is encoded. */
export interface PlainReply {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly cookies?: readonly string[]
}

/** Encodes the reply of a use case in the way that the operation declares for its status. */
export const toHttpResult = (reply: PlainReply, declared: Responses[number] | undefined): HttpResult => {
  const headers = { ...reply.headers }
  // A use case states the type if the operation declares only a range, such as `image/*`.
  if (declared !== null) headers['content-type'] ??= describeType(reply.body, declared)
  return {
    statusCode: reply.status,
    headers,
    ...(reply.cookies ? { cookies: [...reply.cookies] } : {}),
    ...(declared === null ? {} : encodeBody(reply.body, declared)),
  }
}

const describeType = (body: unknown, declared: Responses[number] | undefined): string => {
  if (typeof declared !== 'string') return 'application/json'
  return body instanceof Uint8Array ? declared : `${declared}; charset=utf-8`
}

/** API Gateway decodes the base64 of a binary body. */
const encodeBody = (
  body: unknown,
  declared: Responses[number] | undefined,
): Pick<HttpResult, 'body' | 'isBase64Encoded'> => {
  if (body instanceof Uint8Array) return { body: Buffer.from(body).toString('base64'), isBase64Encoded: true }
  return { body: typeof declared === 'string' ? String(body) : JSON.stringify(body) }
}

/**
 * Validates every response against its declaration, if the configuration asks for it. A response that does not match
 * is an internal error and becomes a 500.
 */
export const checkResponse = ({ config, log }: Services): Middleware => ({
  after: ({ context, response }) => {
    if (!config.validateResponses || !response) return
    const { id, responses } = getOperation(context)
    const declared = responses[response.statusCode ?? 0]
    if (declared === undefined) throw new Error(`${id} does not declare the status ${response.statusCode}.`)
    if (declared === null || typeof declared === 'string') return
    const result = z.safeParse(declared, JSON.parse(response.body ?? 'null'))
    if (result.success) return
    log.error('response.invalid', {
      operation: id,
      errors: result.error.issues.map(({ path, code }) => ({ path, code })),
    })
    throw new Error(`${id} returned a body that does not match its declaration.`)
  },
})
