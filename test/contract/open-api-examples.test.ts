import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { findOperationText, operations } from '../../lib/features/operations.ts'
import { openApi } from '../../lib/features/pages/open-api.prebuilt.ts'
import { checkAll } from '../support/check-all.ts'
import { validateAt } from '../support/open-api-schemas.ts'

interface Example {
  readonly pointer: string
  readonly value: unknown
}

const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** Every example in the document, with the pointer of the schema that it belongs to. */
function* listExamples(value: unknown, pointer = '#'): Generator<Example> {
  if (typeof value !== 'object' || value === null) return
  const { schema, examples, example, type } = value as Record<string, unknown>
  if (schema !== undefined) {
    if (example !== undefined) yield { pointer: `${pointer}/schema`, value: example }
    for (const one of Object.values(examples ?? {})) yield { pointer: `${pointer}/schema`, value: one.value }
  } else if (Array.isArray(examples)) {
    for (const one of examples) yield { pointer, value: one }
  }
  for (const [name, part] of Object.entries(value))
    if (!['example', 'examples'].includes(name) || type === undefined)
      yield* listExamples(part, `${pointer}/${escapePointer(name)}`)
}

describe('the examples of the OpenAPI document', () => {
  const examples = [...listExamples(openApi)]

  it('match their schemas', () => {
    expect(examples.length).toBeGreaterThan(500)
    const wrong = examples.flatMap((example) => {
      const errors = validateAt(example.pointer, example.value)
      return errors.length > 0 ? [{ pointer: example.pointer, errors }] : []
    })
    expect(wrong).toEqual([])
  })

  it('are checked by a validator that finds errors', () => {
    expect(validateAt('#/components/schemas/Ticket', { ticket: 1 })).toEqual(['/ticket must be string'])
    expect(validateAt('#/components/schemas/Ticket', {})).toHaveLength(1)
  })

  it('of requests are accepted by the service', () => {
    checkAll(
      operations.filter(({ body }) => body).map((op) => [op.id, op] as const),
      (id, { body }) => {
        const requests = findOperationText(id)?.request ?? []
        expect(requests.length).toBeGreaterThan(0)
        for (const { summary, value } of requests)
          expect(body && z.safeParse(body, value).error, summary).toBeUndefined()
      },
    )
  })
})
