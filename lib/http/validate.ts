import * as z from 'zod/mini'
import type { Operation, Schema } from '../kernel/contract/operation.ts'
import { isIdParameter } from '../kernel/contract/path-pattern.ts'
import { AppError, type FieldError, invalidRequest } from '../kernel/errors/errors.ts'
import { limitFieldErrors, toFieldErrors } from '../kernel/errors/field-error.ts'
import { listRepeatedKeys, parseJson } from '../kernel/errors/json.ts'
import { bodyLimitBytes } from '../kernel/limits/limits.ts'
import { decodeFormPart } from '../kernel/util/form-encoding.ts'
import { getHeader, getOperation, type HttpEvent, type Middleware } from './http-types.ts'

/** Validates path, query, and body against the operation, and reports the errors of all three together. */
export const validateRequest = (): Middleware => ({
  before: ({ event, context }) => {
    const operation = getOperation(context)
    const params = collectErrors(() => readPath(event, operation))
    const query = collectErrors(() =>
      parse(operation.query ?? emptyObject, readQuery(event.rawQueryString), 'query'),
    )
    const body = collectErrors(() => validateBody(event, operation))
    const errors = [...params.errors, ...query.errors, ...body.errors]
    if (errors.length > 0) throw invalidRequest(limitFieldErrors(errors))
    context.requestState.input = { params: params.value, query: query.value, body: body.value }
  },
})

interface ValidatedPart {
  readonly value?: unknown
  readonly errors: readonly FieldError[]
}

const collectErrors = (read: () => unknown): ValidatedPart => {
  try {
    return { value: read(), errors: [] }
  } catch (error) {
    if (error instanceof AppError && error.details.errors) return { errors: error.details.errors }
    throw error
  }
}

const emptyObject = z.strictObject({})

const parse = (schema: Schema, input: unknown, part: string): unknown => {
  const result = z.safeParse(schema, input)
  if (result.success) return result.data
  throw invalidRequest(toFieldErrors(result.error, input, part))
}

/** An operation without a body, or with an optional one, accepts no body, `{}`, and `null`. */
const validateBody = (event: HttpEvent, operation: Operation): unknown => {
  if (operation.method === 'GET') return undefined
  const input = readBody(event, operation)
  if (operation.body) {
    const isMissing = input === undefined || (operation.isBodyOptional && input === null)
    return parse(operation.body, isMissing ? {} : input, 'body')
  }
  if (input !== undefined && input !== null) parse(emptyObject, input, 'body')
  return undefined
}

const maxId = 2 ** 31 - 1

const readPath = (event: HttpEvent, operation: Operation): Record<string, unknown> => {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return Object.fromEntries(
    names.map((name) => {
      const text = event.pathParameters?.[name] ?? ''
      return [name, isIdParameter(name) ? readId(name, text) : text]
    }),
  )
}

const readId = (field: string, text: string): number => {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0
  if (id < 1 || id > maxId)
    throw invalidRequest([{ field, message: `must be a whole number from 1 to ${maxId}` }])
  return id
}

/** Rejects a body that is too large or has the wrong type, before it is parsed. */
export const checkBody = (): Middleware => ({
  before: ({ event, context }) => {
    const operation = getOperation(context)
    if (event.body && operation.method !== 'GET') checkSizeAndType(event, operation)
  },
})

const expectedTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  scim: 'application/scim+json',
} as const

/** @throws AppError `payload_too_large` or `unsupported_media_type` */
export const checkSizeAndType = (
  event: HttpEvent,
  { bodyLimitBytes: limit = bodyLimitBytes, bodyType }: Pick<Operation, 'bodyLimitBytes' | 'bodyType'>,
): void => {
  if (getByteLength(event) > limit) throw new AppError('payload_too_large')
  const expected = expectedTypes[bodyType ?? 'json']
  const type = getHeader(event, 'content-type')?.split(';')[0]?.trim().toLowerCase()
  // Directories send plain JSON as well (RFC 7644 8.1).
  if (type !== expected && !(bodyType === 'scim' && type === expectedTypes.json))
    throw new AppError('unsupported_media_type', { detail: `Send the body as ${expected}.` })
}

/**
 * Parses the body. An empty body is undefined.
 *
 * @throws AppError `invalid_request` if it cannot be parsed, `unsupported_media_type` if it is compressed.
 */
export const readBody = (event: HttpEvent, operation: Pick<Operation, 'bodyType'>): unknown => {
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

/**
 * Parses the raw query string. The parsed query of API Gateway joins repeated parameters, which hides them.
 *
 * @throws AppError `invalid_request` that names each parameter that is repeated or cannot be decoded.
 */
export const readQuery = (rawQueryString: string): Record<string, string> => {
  const errors: FieldError[] = []
  const query: Record<string, string> = Object.create(null)
  for (const pair of rawQueryString.split('&').filter((text) => text !== '')) {
    const [name = ''] = pair.split('=', 1)
    const field = decodeFormPart(name)
    const value = decodeFormPart(pair.slice(name.length + 1))
    if (field === undefined || value === undefined)
      errors.push({ field: field ?? 'query', message: 'is not percent-encoded UTF-8' })
    else if (Object.hasOwn(query, field)) errors.push({ field, message: 'must not be repeated' })
    else query[field] = value
  }
  if (errors.length > 0) throw invalidRequest(errors)
  return query
}
