import * as z from 'zod/mini'
import { operations } from '../../lib/features/operations.ts'
import type { Operation } from '../../lib/kernel/contract/operation.ts'

type Shape = Readonly<Record<string, unknown>>

const readShape = (schema: unknown): Shape => {
  if (schema instanceof z.ZodMiniArray) return readShape(schema.def.element)
  return schema instanceof z.ZodMiniObject ? schema.def.shape : {}
}

/** The fields that a body declares, with their schemas. It can know those of the response, and ignore them: see `writable`. */
export const readDeclared = ({ body }: Operation): Shape =>
  readShape(body instanceof z.ZodMiniPipe ? body.def.out : body)

/** The fields of the objects that a response has. */
export const listShown = ({ responses }: Operation): readonly string[] =>
  Object.keys(readShape(responses[200] ?? responses[201]))

/** The operations that change or create an object, and have its fields in their body. */
export const writes = operations
  .filter(
    ({ method, responses }) => ['PUT', 'PATCH'].includes(method) || (method === 'POST' && responses[201]),
  )
  .filter((op) => Object.keys(readDeclared(op)).length > 0)

/** The operation that shows what another one writes: at its own path, below it for a new object, or the list that it is in. */
export const findReading = ({ method, path }: Operation): Operation | undefined => {
  const readings = operations.filter((op) => op.method === 'GET' && listShown(op).length > 0)
  const isBelow = (op: Operation) => op.path.startsWith(`${path}/{`) && op.path.endsWith('}')
  const list = method === 'POST' ? path : path.replace(/\/\{\w+\}$/, '')
  return (
    readings.find((op) => (method === 'POST' ? isBelow(op) : op.path === path)) ??
    readings.find((op) => op.path === list)
  )
}
