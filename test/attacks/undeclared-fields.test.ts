import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Operation } from '../../lib/kernel/contract/operation.ts'
import type { Answer, JsonValue } from '../support/client.ts'
import { listShown, readDeclared, writes } from '../support/declared-fields.ts'
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

const send = async (op: Operation, more: object = {}): Promise<Answer> => {
  const request = await live.prepare(op)
  return live.send({ ...request, body: { ...request.body, ...more } })
}

describe('a field that a response has and a body does not declare', () => {
  const rows = writes.flatMap((op) => {
    const declared = Object.keys(readDeclared(op))
    const others = listShown(op).filter((field) => !declared.includes(field))
    return others.length > 0 ? [[op.id, op, others] as const] : []
  })

  it.each(rows)('changes nothing, or is refused: %s', async (_, op, others) => {
    const [plain, again] = [await send(op), await send(op)]
    expect(Object.keys(op.responses).map(Number), plain.text).toContain(plain.status)
    const show = ({ body }: Answer) => (op.method === 'POST' ? maskId(body) : body)
    const [first, second] = [show(plain), show(again)]
    const steady = Object.keys(first).filter((name) => isDeepStrictEqual(first[name], second[name]))
    for (const field of others) {
      const given = alter(plain.body[field])
      const answer = await send(op, { [field]: given })
      if (answer.status === 400) {
        expect(answer.body.errors, field).toContainEqual({ field, message: 'is not recognized' })
        continue
      }
      expect(answer.status, answer.text).toBe(plain.status)
      for (const name of steady) expect(show(answer)[name], `${name} after ${field}`).toEqual(first[name])
      expect(answer.body[field], field).not.toEqual(given)
    }
  })
})

/** Each new object has the next ID, also in its addresses. */
const maskId = ({ id, ...body }: JsonValue): JsonValue =>
  JSON.parse(JSON.stringify(body).replaceAll(new RegExp(`/${id}(?=[/"])`, 'g'), '/id'))

/** Another value of the same form. */
const alter = (value: JsonValue): JsonValue => {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1000
  if (typeof value === 'string') return `${value}x`
  return Array.isArray(value) ? ['system:admin-access'] : 1
}
