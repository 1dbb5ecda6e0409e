import { findOperationText } from '../../lib/features/operations.ts'
import { changesState, type Operation } from '../../lib/kernel/contract/operation.ts'
import type { Answer, JsonValue } from './client.ts'
import { liveValues, preparations } from './example-live-values.ts'
import { createExampleWorld, type ExampleWorld } from './example-world.ts'
import { startService, type TestService } from './service.ts'
import { readItems, restoreItems } from './table-copies.ts'
import { unusedHook } from './unused-hook.ts'

type Parameters = Readonly<Record<string, unknown>>

/** A request that a real service accepts: an example of the OpenAPI document with live values. */
export interface ExampleRequest {
  readonly method: string
  readonly path: string
  /** The body before it is encoded. */
  readonly body: JsonValue
  readonly isForm: boolean
  readonly bearer?: string
  readonly headers: Readonly<Record<string, string>>
}

export interface Examples {
  readonly service: TestService
  readonly world: ExampleWorld
  /** Prepares what the first example of the operation needs, or another one. `keeps` goes on in the state that the request before left. */
  readonly prepare: (
    op: Operation,
    example?: JsonValue,
    query?: Parameters,
    keeps?: boolean,
  ) => Promise<ExampleRequest>
  readonly send: (request: ExampleRequest) => Promise<Answer>
  /** Restores the present state from now on. */
  readonly keepState: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Starts a service in the state that the examples describe. That state is restored before each example. */
export const startExamples = async (settings: Readonly<Record<string, string>> = {}): Promise<Examples> => {
  const service = await startService(
    {
      ALLOW_PRIVATE_METADATA: 'true',
      ALLOWED_ORIGINS: 'https://shop.example.com',
      LINK_URL: 'Shop=https://shop.example.com/shared/{id}',
      SECURITY_CONTACT: 'mailto:security@example.com',
      SECURITY_CONTACT_UNTIL: '9999-12-31',
      JWT_AUDIENCES: 'https://shop.example.com',
      ...unusedHook,
      ...settings,
    },
    { sendsMail: false, hostname: 'localhost' },
  )
  // The signing keys are part of the state that is restored.
  await service.client('GET', '/.well-known/jwks.json')
  const world = await createExampleWorld(service)
  let { items } = world
  let isChanged = false
  return {
    service,
    world,
    prepare: async (op, example = listExamples(op)[0]?.value, query = {}, keeps = false) => {
      if (isChanged && !keeps) await restoreItems(service, items)
      isChanged = changesState(op) || op.id in preparations
      return prepare(world, op, example, query)
    },
    send: ({ method, path, body, isForm, bearer, headers }) =>
      service.client(method, path, {
        ...(isForm ? { raw: new URLSearchParams(body).toString() } : { body }),
        ...(bearer !== undefined && { bearer }),
        headers: { ...(isForm ? { 'content-type': 'application/x-www-form-urlencoded' } : {}), ...headers },
      }),
    keepState: async () => {
      items = await readItems(service.tableName)
    },
    close: async () => {
      await world.metadata.close()
      await world.upstream.close()
      await service.close()
    },
  }
}

/** The examples of the requests of an operation. One without a body has one that shows nothing. */
export const listExamples = ({
  id,
}: Operation): readonly { readonly summary: string; readonly value: unknown }[] =>
  findOperationText(id)?.request ?? [{ summary: 'a request', value: undefined }]

export const listParameterExamples = ({ id }: Operation): Parameters =>
  Object.fromEntries(
    Object.entries(findOperationText(id)?.parameters ?? {}).flatMap(([name, text]) =>
      typeof text === 'string' || text.example === undefined ? [] : [[name, text.example]],
    ),
  )

const prepare = async (
  world: ExampleWorld,
  op: Operation,
  example: JsonValue,
  query: Parameters,
): Promise<ExampleRequest> => {
  const live = await makeLive(world, op, example)
  const prepared = (await preparations[op.id]?.(world, live ?? {})) ?? {}
  const given = { ...listParameterExamples(op), ...prepared.path }
  const names = [...op.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const path = await makeLive(world, op, Object.fromEntries(names.map((name) => [name, given[name]])))
  const liveQuery = new URLSearchParams(await makeLive(world, op, query)).toString()
  const target = op.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(path[name]))
  const bearer = prepared.bearer ?? chooseBearer(world, op)
  return {
    method: op.method,
    path: `${target}?${prepared.query ?? liveQuery}`,
    body: live === undefined || Array.isArray(live) ? live : { ...live, ...prepared.body },
    isForm: op.bodyType === 'form',
    ...(bearer !== undefined && { bearer }),
    headers: prepared.headers ?? {},
  }
}

/** Replaces the values that only work live, wherever they are. */
const makeLive = async (world: ExampleWorld, op: Operation, value: JsonValue): Promise<JsonValue> => {
  if (typeof value === 'string') return liveValues[value]?.(world, op) ?? value
  if (Array.isArray(value)) return Promise.all(value.map((part) => makeLive(world, op, part)))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(async ([name, part]) => [name, await makeLive(world, op, part)])
  return Object.fromEntries(await Promise.all(entries))
}

/** The caller: no one, the administrator, or the user of the examples. */
const chooseBearer = ({ admin, ada }: ExampleWorld, { access, group }: Operation): string | undefined => {
  if (access.allow === 'anyone') return undefined
  return access.allow === 'permission' || access.allow === 'role' || group === 'access-links'
    ? admin.bearer
    : ada.bearer
}
