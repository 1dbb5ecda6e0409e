import * as z from 'zod/mini'
import type { Operation, Schema } from '../contract/operation.ts'
import { AppError, type FieldError, invalidRequest } from '../errors/errors.ts'
import { limitFieldErrors, toFieldErrors } from '../errors/field-error.ts'
import { readBody } from './body.ts'
import { getOperation, type HttpEvent, type Middleware } from './http-types.ts'
import { readQuery } from './query.ts'

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
      return [name, /^(\w+_)?id$/.test(name) ? readId(name, text) : text]
    }),
  )
}

const readId = (field: string, text: string): number => {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0
  if (id < 1 || id > maxId)
    throw invalidRequest([{ field, message: `must be a whole number from 1 to ${maxId}` }])
  return id
}
