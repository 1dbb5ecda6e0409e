import { describe, expect, it } from 'vitest'
import { findOperationText, operations } from '../../lib/features/operations.ts'
import { openApi } from '../../lib/features/pages/open-api.prebuilt.ts'
import { changesState, type Operation } from '../../lib/kernel/contract/operation.ts'
import type { Answer, JsonValue } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { listExamples, listParameterExamples, startExamples } from '../support/example-requests.ts'
import { validateBySchema } from '../support/open-api-schemas.ts'

const live = closeAfterTests(await startExamples())

const send = async (
  op: Operation,
  example: JsonValue,
  query?: Readonly<Record<string, unknown>>,
  keeps = false,
) => live.send(await live.prepare(op, example, query, keeps))

/** The names of the fields of an object, or of the first object in a list. */
const listFields = (value: JsonValue): readonly string[] => {
  const given = typeof value === 'string' && value.startsWith('{') ? JSON.parse(value) : value
  const shown = Array.isArray(given) ? given[0] : given
  return typeof shown === 'object' && shown !== null ? Object.keys(shown).sort() : []
}

const expectSuccess = (op: Operation, answer: Answer): void => {
  expect(Object.keys(op.responses), answer.text.slice(0, 500)).toContain(String(answer.status))
  const paths: JsonValue = openApi.paths
  const { content } = paths[op.path][op.method.toLowerCase()].responses[answer.status]
  if (content?.['application/json'] === undefined) return
  expect(validateBySchema(content['application/json'].schema, answer.body)).toEqual([])
}

/** The examples of a response show every field of a real one. That of this document is its first lines. */
const expectFieldsOfExamples = ({ id }: Operation, { status, body }: Answer): void => {
  const shown = findOperationText(id)?.responses?.[status] ?? []
  if (shown.length === 0 || id === 'get_open_api') return
  const fields = shown.flatMap(({ value }) => listFields(value))
  expect(listFields(body).filter((field) => !fields.includes(field))).toEqual([])
}

const examples = operations.flatMap((op) =>
  listExamples(op).map(({ summary, value }) => [op.id, summary, op, value] as const),
)

/** Those of an operation that changes nothing follow each other in one state, because restoring it takes longer than all of them. */
const queries = operations.flatMap((op) =>
  Object.entries(listParameterExamples(op))
    .filter(([name]) => !op.path.includes(`{${name}}`))
    .map(([name, value], at) => [op.id, name, op, value, at > 0 && !changesState(op)] as const),
)

describe('a real service accepts the example of the OpenAPI document', () => {
  it.each(examples.filter(([id]) => id !== 'disable_totp'))('%s: %s', async (_, __, op, value) => {
    const answer = await send(op, value)
    expectSuccess(op, answer)
    expectFieldsOfExamples(op, answer)
  })

  it.each(queries)('%s with the parameter %s', async (_, name, op, value, keeps) => {
    expectSuccess(op, await send(op, listExamples(op)[0]?.value, { [name]: value }, keeps))
  })
})
