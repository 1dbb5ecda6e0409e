import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openApi } from '../../functions/pages/open-api.prebuilt.ts'
import { changesState, type Operation, type OperationText } from '../../lib/contract/operation.ts'
import { findOperationText, operations } from '../../lib/contract/operations.ts'
import type { Answer, JsonValue } from '../support/client.ts'
import { liveValues, preparations } from '../support/example-live-values.ts'
import { createExampleWorld, type ExampleWorld } from '../support/example-world.ts'
import { validateBySchema } from '../support/open-api-schemas.ts'
import { startService, type TestService } from '../support/service.ts'
import { restoreItems } from '../support/table-copies.ts'

let service: TestService
let world: ExampleWorld
beforeAll(async () => {
  const settings = {
    ALLOW_PRIVATE_METADATA: 'true',
    ALLOWED_ORIGINS: 'https://shop.example.com',
    LINK_URL: 'Shop=https://shop.example.com/shared/{id}',
    JWT_AUDIENCES: 'https://shop.example.com',
  }
  service = await startService(settings, { sendsMail: false, hostname: 'localhost' })
  // The signing keys are part of the state that is restored before each example.
  await service.client('GET', '/.well-known/jwks.json')
  world = await createExampleWorld(service)
})
afterAll(async () => {
  await world.metadata.close()
  await world.upstream.close()
  await service.close()
})

/** Replaces the values that only work live, wherever they are. */
const makeLive = async (op: Operation, value: JsonValue): Promise<JsonValue> => {
  if (typeof value === 'string') return liveValues[value]?.(world, op) ?? value
  if (Array.isArray(value)) return Promise.all(value.map((part) => makeLive(op, part)))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(async ([name, part]) => [name, await makeLive(op, part)])
  return Object.fromEntries(await Promise.all(entries))
}

type Parameters = Readonly<Record<string, unknown>>

const listParameterExamples = ({ parameters }: OperationText): Parameters =>
  Object.fromEntries(
    Object.entries(parameters).flatMap(([name, text]) =>
      typeof text === 'string' || text.example === undefined ? [] : [[name, text.example]],
    ),
  )

/** The caller: no one, the administrator, or the user of the examples. */
const chooseBearer = ({ access, group }: Operation): string | undefined => {
  if (access.allow === 'anyone') return undefined
  return access.allow === 'permission' || group === 'access-tokens' ? world.admin.bearer : world.ada.bearer
}

let isChanged = false

const send = async (op: Operation, example: JsonValue, query: Parameters = {}): Promise<Answer> => {
  if (isChanged) await restoreItems(service, world.items)
  isChanged = changesState(op) || op.id in preparations
  const text = findOperationText(op.id)
  const live = await makeLive(op, example)
  const prepared = (await preparations[op.id]?.(world, live ?? {})) ?? {}
  const given = { ...(text && listParameterExamples(text)), ...prepared.path }
  const names = [...op.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const path = await makeLive(op, Object.fromEntries(names.map((name) => [name, given[name]])))
  const liveQuery = new URLSearchParams(await makeLive(op, query)).toString()
  const body = live === undefined || Array.isArray(live) ? live : { ...live, ...prepared.body }
  const bearer = prepared.bearer ?? chooseBearer(op)
  const isForm = op.bodyType === 'form'
  const target = op.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(path[name]))
  return service.client(op.method, `${target}?${prepared.query ?? liveQuery}`, {
    ...(isForm ? { raw: new URLSearchParams(body).toString() } : { body }),
    ...(bearer === undefined ? {} : { bearer }),
    headers: {
      ...(isForm ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      ...prepared.headers,
    },
  })
}

/** The names of the fields of an object, or of the first object in a list. */
const listFields = (value: JsonValue): readonly string[] => {
  const shown = Array.isArray(value) ? value[0] : value
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

const examples = operations.flatMap((op) => {
  const requests = findOperationText(op.id)?.request ?? [{ summary: 'a request', value: undefined }]
  return requests.map(({ summary, value }) => [op.id, summary, op, value] as const)
})

const queries = operations.flatMap((op) => {
  const text = findOperationText(op.id)
  return Object.entries(text ? listParameterExamples(text) : {})
    .filter(([name]) => !op.path.includes(`{${name}}`))
    .map(([name, value]) => [op.id, name, op, value] as const)
})

describe('a real service accepts the example of the OpenAPI document', () => {
  it.each(examples.filter(([id]) => id !== 'disable_totp'))('%s: %s', async (_, __, op, value) => {
    const answer = await send(op, value)
    expectSuccess(op, answer)
    expectFieldsOfExamples(op, answer)
  })

  it.each(queries)('%s with the parameter %s', async (_, name, op, value) => {
    const [request] = findOperationText(op.id)?.request ?? []
    expectSuccess(op, await send(op, request?.value, { [name]: value }))
  })
})
