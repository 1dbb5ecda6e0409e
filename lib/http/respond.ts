import * as z from 'zod/mini'
import type { Services } from '../services.ts'
import { getOperation, type HttpResult, type Middleware } from './http-types.ts'

/** What a use case answered, before it is put on the wire. */
export interface PlainReply {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly cookies?: readonly string[]
}

/** Puts the reply of a use case on the wire, as the operation declares it for its status. */
export const toHttpResult = (reply: PlainReply, declared: unknown): HttpResult => {
  const isMedia = typeof declared === 'string'
  const headers = { ...reply.headers }
  if (declared !== null) headers['content-type'] = isMedia ? `${declared}; charset=utf-8` : 'application/json'
  return {
    statusCode: reply.status,
    headers,
    ...(reply.cookies ? { cookies: [...reply.cookies] } : {}),
    ...(declared === null ? {} : { body: isMedia ? String(reply.body) : JSON.stringify(reply.body) }),
  }
}

/**
 * Holds every answer against its declaration, where that is asked for. An answer that isn't as declared is our
 * fault and becomes a 500, never the caller's 400.
 */
export const checkResponse = ({ config, log }: Services): Middleware => ({
  after: ({ context, response }) => {
    if (!config.validateResponses || !response) return
    const { id, responses } = getOperation(context)
    const declared = responses[response.statusCode ?? 0]
    if (declared === undefined) throw new Error(`${id} doesn't declare its answer ${response.statusCode}`)
    if (declared === null || typeof declared === 'string') return
    const result = z.safeParse(declared, JSON.parse(response.body ?? 'null'))
    if (result.success) return
    log.error('response.invalid', {
      operation: id,
      faults: result.error.issues.map(({ path, code }) => ({ path, code })),
    })
    throw new Error(`${id} answered something that it doesn't declare`)
  },
})
