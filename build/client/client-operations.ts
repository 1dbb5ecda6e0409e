import { operations } from '../../lib/features/operations.ts'
import { clientAddressHeader } from '../../lib/kernel/contract/permissions.ts'
import { buildOpenApi } from '../../lib/open-api/build-open-api.ts'
import type { Schema } from './schema-types.ts'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly schema: Schema
}
type Content = Readonly<Record<string, { readonly schema: Schema }>>
interface Response {
  readonly content?: Content
}
interface DocumentedOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security: readonly object[]
  readonly parameters: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly responses: Readonly<Record<string, Response>>
  }
}

/** An operation as the client offers it. */
export interface ClientOperation {
  /** The operation ID, in the reference and in errors. */
  readonly id: string
  /** The property of the client, and the method of it. */
  readonly group: string
  readonly name: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly pathParameters: readonly Parameter[]
  readonly query: readonly Parameter[]
  readonly acceptsClientAddress: boolean
  readonly body:
    | { readonly schema: Schema; readonly isRequired: boolean; readonly isForm: boolean }
    | undefined
  readonly result: 'json' | 'list' | 'text' | 'none' | 'url'
  readonly resultSchema: Schema | undefined
  readonly caller: 'caller' | 'anonymous' | 'product'
  /** The error codes with their reasons. */
  readonly errors: ReadonlyMap<string, readonly string[]>
}

/** The part of the OpenAPI document that the client is made from. */
export const readDocument = (): Document => JSON.parse(JSON.stringify(buildOpenApi(operations)))

/** `get_all_users` becomes `getAllUsers`, and `user-templates` becomes `userTemplates`. */
const toCamelCase = (name: string): string =>
  name.replaceAll(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase())

/** Returns what each operation of the document needs in the client. */
export const listClientOperations = (document: Document): readonly ClientOperation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => describe(document, path, method, operation)),
  )

const describe = (
  { components }: Document,
  path: string,
  method: string,
  operation: DocumentedOperation,
): ClientOperation => {
  const parameters = operation.parameters.map((parameter) =>
    '$ref' in parameter ? follow(parameter, components.parameters) : parameter,
  )
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const responses = Object.entries(operation.responses).map(
    ([status, response]): [status: number, response: Response] => [
      Number(status),
      '$ref' in response ? follow(response, components.responses) : response,
    ],
  )
  const { result, schema } = findResult(responses, query)
  const { 'application/json': json, 'application/x-www-form-urlencoded': form } =
    operation.requestBody?.content ?? {}
  const body = json ?? form
  const isProduct = operation.security.length === 2 && Object.keys(operation.security[0] ?? {}).length === 0
  if (body && query.length > 0) throw new Error(`${operation.operationId} has a body and a query`)
  return {
    id: operation.operationId,
    group: toCamelCase(operation.tags[0] ?? ''),
    name: nameMethod(operation.operationId, result),
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    description: operation.description ?? '',
    pathParameters: parameters.filter((parameter) => parameter.in === 'path'),
    query,
    acceptsClientAddress: parameters.some((parameter) => parameter.name === clientAddressHeader),
    body:
      body && result !== 'url'
        ? {
            schema: body.schema,
            isRequired: operation.requestBody?.required === true,
            isForm: body === form,
          }
        : undefined,
    result,
    resultSchema: schema,
    caller: operation.security.length === 0 ? 'anonymous' : isProduct ? 'product' : 'caller',
    errors: listErrors(responses, components.schemas),
  }
}

const follow = <T>({ $ref }: { readonly $ref: string }, targets: Readonly<Record<string, T>>): T => {
  const target = targets[$ref.split('/').at(-1) ?? '']
  if (target === undefined) throw new Error(`${$ref} does not exist`)
  return target
}

/** Redirects and pages are for browsers, so the client returns their address. */
const findResult = (
  responses: readonly (readonly [status: number, response: Response])[],
  query: readonly Parameter[],
): { readonly result: ClientOperation['result']; readonly schema?: Schema } => {
  const successes = responses.filter(([status]) => status < 400 && status !== 304)
  const [, first] = successes[0] ?? []
  const [type, content] = Object.entries(first?.content ?? {})[0] ?? []
  if (successes.some(([status]) => status >= 300)) return { result: 'url' }
  if (type === undefined || content === undefined) return { result: 'none' }
  if (/\+xml$/.test(type)) return { result: 'text', schema: content.schema }
  if (!/\bjson$/.test(type)) return { result: 'url' }
  const isList = content.schema.type === 'array' && query.some(({ name }) => name === 'cursor')
  return { result: isList ? 'list' : 'json', schema: content.schema }
}

const nameMethod = (id: string, result: ClientOperation['result']): string => {
  if (result === 'list') return toCamelCase(id.replace(/^get_(all_)?/, 'list_'))
  return result === 'url' ? `${toCamelCase(id)}Url` : toCamelCase(id)
}

const listErrors = (
  responses: readonly (readonly [status: number, response: Response])[],
  schemas: Readonly<Record<string, Schema>>,
): ReadonlyMap<string, readonly string[]> =>
  new Map(
    responses
      .flatMap(([, { content = {} }]) => {
        const schema = content['application/problem+json']?.schema
        return schema ? (schema.oneOf ?? [schema]) : []
      })
      .map(({ $ref = '' }) => {
        const { properties = {} } = follow({ $ref }, schemas)
        return [String(properties['code']?.enum?.[0]), (properties['reason']?.enum ?? []).map(String)]
      }),
  )
