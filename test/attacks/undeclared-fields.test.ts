import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { operations } from '../../lib/features/operations.ts'
import type { Operation } from '../../lib/kernel/contract/operation.ts'
import type { Answer, JsonValue } from '../support/client.ts'
import { type Examples, startExamples } from '../support/example-requests.ts'

/*
 * Attackers send what a response showed them back with other values. The fields follow from the declarations, so that no
 * operation is left out.
 */

let live: Examples
beforeAll(async () => {
  live = await startExamples()
})
afterAll(() => live.close())

const changing = operations.filter(({ body, method }) => body && (method === 'PUT' || method === 'PATCH'))
const listFields = (schema: unknown): readonly string[] =>
  schema instanceof z.ZodMiniObject ? Object.keys(schema.def.shape) : []
/** The fields that a body declares. It can know those of the response, and ignore them: see `writable`. */
const listDeclared = ({ body }: Operation): readonly string[] =>
  listFields(body instanceof z.ZodMiniPipe ? body.def.out : body)
const listShown = ({ responses }: Operation): readonly string[] => listFields(responses[200])

const send = async (op: Operation, more: object = {}): Promise<Answer> => {
  const request = await live.prepare(op)
  return live.send({ ...request, body: { ...request.body, ...more } })
}

describe('a field that a response has and a body does not declare', () => {
  const rows = changing.flatMap((op) => {
    const others = listShown(op).filter((field) => !listDeclared(op).includes(field))
    return others.length > 0 ? [[op.id, op, others] as const] : []
  })

  it.each(rows)('changes nothing, or is refused: %s', async (_, op, others) => {
    const [plain, again] = [await send(op), await send(op)]
    expect(Object.keys(op.responses).map(Number), plain.text).toContain(plain.status)
    const steady = Object.keys(plain.body).filter((name) =>
      isDeepStrictEqual(plain.body[name], again.body[name]),
    )
    for (const field of others) {
      const given = alter(plain.body[field])
      const answer = await send(op, { [field]: given })
      if (answer.status === 400) {
        expect(answer.body.errors, field).toContainEqual({ field, message: 'is not recognized' })
        continue
      }
      expect(answer.status, answer.text).toBe(plain.status)
      for (const name of steady) expect(answer.body[name], `${name} after ${field}`).toEqual(plain.body[name])
      expect(answer.body[field], field).not.toEqual(given)
    }
  })
})

/** Another value of the same form. */
const alter = (value: JsonValue): JsonValue => {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (typeof value === 'string') return `${value}x`
  return Array.isArray(value) ? ['system:admin-access'] : 1
}
