import type { Operation } from '../contract/operation.ts'
import { AppError, invalidRequest } from '../core/errors.ts'
import { parseJson } from '../core/json.ts'
import { bodyLimitBytes } from '../core/limits.ts'
import { getHeader, getOperation, type HttpEvent, type Middleware } from './http-types.ts'

/** Refuses a body that is too large or of the wrong kind, before anybody spends time on it. */
export const checkBody = (): Middleware => ({
  before: ({ event, context }) => {
    const operation = getOperation(context)
    if (!event.body || operation.method === 'GET') return
    if (sizeOf(event) > (operation.bodyLimitBytes ?? bodyLimitBytes)) throw new AppError('payload_too_large')
    const expected = operation.bodyType === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
    const type = getHeader(event, 'content-type')?.split(';')[0]?.trim().toLowerCase()
    if (type !== expected)
      throw new AppError('unsupported_media_type', { detail: `Send the body as ${expected}.` })
  },
})

/** Reads the body, an empty one as undefined. @throws AppError `invalid_request` when it can't be read. */
export const readBody = (event: HttpEvent, operation: Operation): unknown => {
  // A byte order mark is no part of the text; some clients write one (RFC 8259 8.1 lets a reader pass over it).
  const text = textOf(event).replace(/^\ufeff/, '')
  if (text.trim() === '') return undefined
  return operation.bodyType === 'form' ? formOf(text) : parseJson(text, 'body')
}

const formOf = (text: string): Record<string, string> => {
  const fields = [...new URLSearchParams(text)]
  const names = fields.map(([name]) => name)
  const repeated = [...new Set(names.filter((name, at) => names.indexOf(name) !== at))]
  if (repeated.length > 0)
    throw invalidRequest(repeated.map((field) => ({ field, message: 'is there more than once' })))
  return Object.fromEntries(fields)
}

const sizeOf = (event: HttpEvent): number =>
  Buffer.byteLength(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8')

const textOf = (event: HttpEvent): string => {
  if (!event.isBase64Encoded) return event.body ?? ''
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(event.body ?? '', 'base64'))
  } catch {
    throw invalidRequest([{ field: 'body', message: 'is not valid UTF-8' }])
  }
}
