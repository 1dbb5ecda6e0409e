import type { Operation } from '../contract/operation.ts'
import { AppError, invalidRequest } from '../errors/errors.ts'
import { parseJson } from '../errors/json.ts'
import { listRepeatedKeys } from '../errors/repeated-keys.ts'
import { bodyLimitBytes } from '../limits/limits.ts'
import { getHeader, getOperation, type HttpEvent, type Middleware } from './http-types.ts'

/** Rejects a body that is too large or has the wrong type, before it is parsed. */
export const checkBody = (): Middleware => ({
  before: ({ event, context }) => {
    const operation = getOperation(context)
    if (!event.body || operation.method === 'GET') return
    if (getByteLength(event) > (operation.bodyLimitBytes ?? bodyLimitBytes))
      throw new AppError('payload_too_large')
    const expected = operation.bodyType === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
    const type = getHeader(event, 'content-type')?.split(';')[0]?.trim().toLowerCase()
    if (type !== expected)
      throw new AppError('unsupported_media_type', { detail: `Send the body as ${expected}.` })
  },
})

/**
 * Parses the body. An empty body is undefined.
 *
 * @throws AppError `invalid_request` if it cannot be parsed, `unsupported_media_type` if it is compressed.
 */
export const readBody = (event: HttpEvent, operation: Operation): unknown => {
  // Some clients add a byte order mark. RFC 8259 8.1 allows parsers to ignore it.
  const text = decodeBody(event).replace(/^\ufeff/, '')
  if (text.trim() === '') return undefined
  if (operation.bodyType === 'form') return parseForm(text)
  const value = parseJson(text, 'body')
  requireNoRepeated(listRepeatedKeys(text))
  return value
}

const parseForm = (text: string): Record<string, string> => {
  const fields = [...new URLSearchParams(text)]
  const names = fields.map(([name]) => name)
  requireNoRepeated([...new Set(names.filter((name, at) => names.indexOf(name) !== at))])
  return Object.fromEntries(fields)
}

const requireNoRepeated = (repeated: readonly string[]): void => {
  if (repeated.length > 0)
    throw invalidRequest(repeated.map((field) => ({ field, message: 'must not be repeated' })))
}

const getByteLength = (event: HttpEvent): number =>
  Buffer.byteLength(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8')

const decodeBody = (event: HttpEvent): string => {
  if (!event.isBase64Encoded) return event.body ?? ''
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(event.body ?? '', 'base64'))
  } catch {
    // API Gateway does not decompress bodies. Some clients name a coding but send plain text, which is accepted.
    if (getHeader(event, 'content-encoding'))
      throw new AppError('unsupported_media_type', { detail: 'Send the body without compression.' })
    throw invalidRequest([{ field: 'body', message: 'is not valid UTF-8' }])
  }
}
