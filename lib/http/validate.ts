import * as z from 'zod/mini'
import type { Operation, Schema } from '../contract/operation.ts'
import { AppError, type FieldError, invalidRequest } from '../core/errors.ts'
import { limitFieldErrors, toFieldErrors } from '../core/field-error.ts'
import { readBody } from './body.ts'
import { getOperation, type HttpEvent, type Middleware } from './http-types.ts'
import { readQuery } from './query.ts'

interface Part {
  readonly value?: unknown
  readonly faults: readonly FieldError[]
}

/** Holds path, query and body against what the operation declares, and tells every fault of all three at once. */
export const validateRequest = (): Middleware => ({
  before: ({ event, context }) => {
    const operation = getOperation(context)
    const params = part(() => readPath(event, operation))
    const query = part(() => parsed(operation.query ?? nothing, readQuery(event.rawQueryString), 'query'))
    const body = part(() => bodyOf(event, operation))
    const faults = [...params.faults, ...query.faults, ...body.faults]
    if (faults.length > 0) throw invalidRequest(limitFieldErrors(faults))
    context.requestState.input = { params: params.value, query: query.value, body: body.value }
  },
})

const nothing = z.strictObject({})

const part = (read: () => unknown): Part => {
  try {
    return { value: read(), faults: [] }
  } catch (error) {
    if (error instanceof AppError && error.details.errors) return { faults: error.details.errors }
    throw error
  }
}

const parsed = (schema: Schema, input: unknown, place: string): unknown => {
  const result = z.safeParse(schema, input)
  if (result.success) return result.data
  throw invalidRequest(toFieldErrors(result.error, input, place))
}

/** An operation without a body takes an empty one, whatever its content type says, and `{}` and `null`. */
const bodyOf = (event: HttpEvent, operation: Operation): unknown => {
  if (operation.method === 'GET') return undefined
  const input = readBody(event, operation)
  if (operation.body) return parsed(operation.body, input === undefined ? {} : input, 'body')
  if (input !== undefined && input !== null) parsed(nothing, input, 'body')
  return undefined
}

const highestId = 2 ** 31 - 1

const readPath = (event: HttpEvent, operation: Operation): Record<string, unknown> => {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return Object.fromEntries(
    names.map((name) => {
      const text = event.pathParameters?.[name] ?? ''
      return [name, name === 'id' ? idOf(text) : text]
    }),
  )
}

const idOf = (text: string): number => {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0
  if (id < 1 || id > highestId)
    throw invalidRequest([{ field: 'id', message: `must be a whole number from 1 to ${highestId}` }])
  return id
}
