import { bulkOperationsMax } from './bulk-limits.ts'
import {
  answerErrors,
  createResource,
  deleteResource,
  patchResource,
  replaceResource,
  type ScimRequest,
} from './resources.ts'
import type { ScimContext } from './scim-context.ts'
import { badRequest, ScimError } from './scim-error.ts'
import type { ScimReply } from './scim-reply.ts'
import { findOwn, isObject, requireSchema } from './scim-values.ts'

const requestUrn = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest'
const responseUrn = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse'

interface BulkOperation {
  readonly method: string
  readonly resource: string
  readonly id: string | undefined
  readonly bulkId: string | undefined
  readonly version: string | undefined
  readonly data: unknown
}

/**
 * Carries out several requests, one after the other (RFC 7644 3.7). An ID can name what an earlier one created: `bulkId:`. It stops after
 * `failOnErrors` errors.
 *
 * @throws ScimError if the request as a whole cannot be used. Nothing was carried out then
 */
export const carryOutBulk = async (scim: ScimContext, body: unknown): Promise<ScimReply> => {
  if (!isObject(body)) throw badRequest('invalidSyntax', 'The body must be a JSON object.')
  requireSchema(body, requestUrn)
  const given = findOwn(body, 'Operations')
  if (!Array.isArray(given) || given.length === 0)
    throw badRequest('invalidSyntax', '"Operations" must be a list with at least one operation.')
  if (given.length > bulkOperationsMax)
    throw new ScimError(413, undefined, `A request must not have more than ${bulkOperationsMax} operations.`)
  const failOnErrors = findOwn(body, 'failOnErrors')
  const errorsMax =
    typeof failOnErrors === 'number' && failOnErrors >= 1 ? failOnErrors : Number.POSITIVE_INFINITY
  const operations = given.map(readOperation)
  requireUniqueNames(operations)
  const ids = new Map<string, string>()
  const results: object[] = []
  let errors = 0
  for (const operation of operations) {
    const reply = await answerErrors(() => carryOut(scim, operation, ids))
    const location = reply.headers?.['location'] ?? locate(scim, operation, ids)
    if (operation.bulkId !== undefined && reply.status === 201 && location)
      ids.set(operation.bulkId, location.slice(location.lastIndexOf('/') + 1))
    const isError = reply.status >= 400
    results.push({
      method: operation.method,
      ...(operation.bulkId !== undefined && { bulkId: operation.bulkId }),
      ...(location && !(isError && operation.method === 'POST') && { location }),
      ...(reply.headers?.['etag'] && { version: reply.headers['etag'] }),
      status: String(reply.status),
      ...(isError && { response: reply.body }),
    })
    if (isError && ++errors >= errorsMax) break
  }
  return { status: 200, body: { schemas: [responseUrn], Operations: results } }
}

const methods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

const readOperation = (given: unknown, at: number): BulkOperation => {
  const name = `Operations[${at}]`
  if (!isObject(given)) throw badRequest('invalidSyntax', `"${name}" must be an object.`)
  const method = String(findOwn(given, 'method')).toUpperCase()
  const path = findOwn(given, 'path')
  const bulkId = findOwn(given, 'bulkId')
  const version = findOwn(given, 'version')
  if (!methods.has(method))
    throw badRequest('invalidSyntax', `"${name}.method" must be POST, PUT, PATCH or DELETE.`)
  const [, resource, id] = /^\/(Users|Groups)(?:\/([\w:.-]{1,200}))?$/.exec(String(path)) ?? []
  if (resource === undefined || (method === 'POST') !== (id === undefined))
    throw badRequest('invalidPath', `"${name}.path" must be the path of a resource, such as /Users.`)
  if (bulkId !== undefined && (typeof bulkId !== 'string' || bulkId.length > 200))
    throw badRequest('invalidSyntax', `"${name}.bulkId" must be a text.`)
  if (method === 'POST' && bulkId === undefined)
    throw badRequest('invalidSyntax', `"${name}" needs a bulkId, because it creates a resource.`)
  return {
    method,
    resource,
    id,
    bulkId,
    version: typeof version === 'string' ? version : undefined,
    data: findOwn(given, 'data'),
  }
}

const requireUniqueNames = (operations: readonly BulkOperation[]): void => {
  const names = operations.flatMap(({ method, bulkId }) =>
    method === 'POST' && bulkId !== undefined ? [bulkId] : [],
  )
  if (new Set(names).size < names.length)
    throw badRequest('invalidValue', 'Two operations must not have the same bulkId.')
}

const prefix = 'bulkId:'

/** @throws ScimError 409 if nothing that was created before has the name */
const resolve = (text: string, ids: ReadonlyMap<string, string>): string => {
  if (!text.startsWith(prefix)) return text
  const id = ids.get(text.slice(prefix.length))
  if (id === undefined)
    throw new ScimError(409, undefined, 'No resource that was created before has this bulkId.')
  return id
}

/** Replaces names of resources by their IDs, wherever a value is one. */
const resolveIn = (value: unknown, ids: ReadonlyMap<string, string>): unknown => {
  if (typeof value === 'string') return resolve(value, ids)
  if (Array.isArray(value)) return value.map((one) => resolveIn(one, ids))
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolveIn(one, ids)]))
    : value
}

const locate = (
  { baseUrl }: ScimContext,
  { resource, id }: BulkOperation,
  ids: ReadonlyMap<string, string>,
): string | undefined => {
  if (id === undefined) return undefined
  const known = id.startsWith(prefix) ? ids.get(id.slice(prefix.length)) : id
  return known === undefined ? undefined : `${baseUrl}/${resource}/${known}`
}

const carryOut = async (
  scim: ScimContext,
  { method, resource, id = '', version, data }: BulkOperation,
  ids: ReadonlyMap<string, string>,
): Promise<ScimReply> => {
  const request: ScimRequest = { query: {}, ifMatch: version }
  const key = resolve(id, ids)
  const body = resolveIn(data, ids)
  if (method === 'POST') return createResource(scim, resource, body, request)
  if (method === 'PUT') return replaceResource(scim, resource, key, body, request)
  return method === 'PATCH'
    ? patchResource(scim, resource, key, body, request)
    : deleteResource(scim, resource, key, request)
}
