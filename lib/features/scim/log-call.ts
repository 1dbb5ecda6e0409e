import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { type ScimCallRecord, storeScimCall } from '../provisioning/calls.records.ts'
import type { ScimContext } from './scim-context.ts'
import type { ScimReply } from './scim-reply.ts'
import { findOwn, isObject } from './scim-values.ts'

/** A request of a directory, as far as the list of its calls shows it. */
export interface LoggedRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly resource: string
  readonly id?: string | undefined
  readonly body?: unknown
}

const known: ReadonlySet<string> = new Set([
  'Users',
  'Groups',
  'Bulk',
  'Schemas',
  'ResourceTypes',
  'ServiceProviderConfig',
])

/** Notes a call for those who set up the directory. A call does not fail because it cannot be noted. */
export const logScimCall = async (
  { services: { table, now, log }, caller: { connection } }: ScimContext,
  request: LoggedRequest,
  reply: ScimReply,
): Promise<void> => {
  try {
    await storeScimCall(table, connection.id, describeCall(now(), request, reply))
  } catch (error) {
    log.error('scim.call_not_noted', { connection: connection.id, error })
  }
}

const describeCall = (
  at: number,
  { method, resource, id, body }: LoggedRequest,
  { status, body: answer = {} }: ScimReply,
): ScimCallRecord => {
  const isError = status >= 400
  const nameOf = resource === 'Users' ? 'userName' : 'displayName'
  const name =
    readShort(findOwn(answer, nameOf)) ?? (isObject(body) ? readShort(findOwn(body, nameOf)) : undefined)
  const resourceId = id ?? (isError ? undefined : readShort(findOwn(answer, 'id')))
  return {
    at,
    method,
    resource: known.has(resource) ? resource : 'other',
    status,
    ...omitUndefined({
      scimType: isError ? readShort(findOwn(answer, 'scimType')) : undefined,
      detail: isError ? readShort(findOwn(answer, 'detail')) : undefined,
      resourceId: resourceId?.slice(0, idLength),
      name: name?.slice(0, nameLength),
    }),
    ...(resource === 'Users' &&
      findOwn(answer, 'active') === false &&
      wantsActive(body) && { isEndedHere: true }),
  }
}

const idLength = 64
const nameLength = 255
const detailLength = 500

const readShort = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.slice(0, detailLength) : undefined

/** Whether a request was to make somebody active, in any of the ways in which directories write it. */
const wantsActive = (body: unknown): boolean => {
  if (!isObject(body)) return false
  const operations = findOwn(body, 'Operations')
  return Array.isArray(operations)
    ? operations.some((one) => isObject(one) && activates(one))
    : isTrue(findOwn(body, 'active'))
}

const activates = (operation: object): boolean => {
  const [path, value] = [findOwn(operation, 'path'), findOwn(operation, 'value')]
  if (typeof path === 'string') return path.toLowerCase().endsWith('active') && isTrue(value)
  return isObject(value) && isTrue(findOwn(value, 'active'))
}

const isTrue = (value: unknown): boolean => String(value).toLowerCase() === 'true'
