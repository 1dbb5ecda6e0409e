import { AppError, ConflictError } from '../../kernel/errors/errors.ts'
import { findScimGroup } from '../provisioning/groups.records.ts'
import { findScimUser } from '../provisioning/users.records.ts'
import { resourceTypes } from './attributes.models.ts'
import {
  createScimGroup,
  deleteScimGroup,
  patchScimGroup,
  replaceScimGroup,
  requireScimGroup,
} from './change-group.ts'
import {
  createScimUser,
  deleteScimUser,
  patchScimUser,
  replaceScimUser,
  requireScimUser,
} from './change-user.ts'
import { toGroupBody } from './group-resource.ts'
import { type ListQuery, listGroups, listUsers } from './list-resources.ts'
import type { ScimContext } from './scim-context.ts'
import { ScimError } from './scim-error.ts'
import { listsTag, notFound, type ScimReply, toEntityTag, toErrorReply } from './scim-reply.ts'
import { readProjection } from './scim-resource.ts'
import { isDocument, showDocument, showDocuments } from './service-documents.ts'
import { toUserBody } from './user-resource.ts'
import { getUserType } from './user-type.ts'

/** What a request says besides its path and its body. */
export interface ScimRequest {
  readonly query: ListQuery
  readonly ifMatch?: string | undefined
  readonly ifNoneMatch?: string | undefined
}

interface Changed {
  readonly id: string
  readonly version: number
}

/** What the paths of one kind of resources do. */
interface Resource {
  readonly list: (scim: ScimContext, query: ListQuery) => Promise<ScimReply>
  readonly find: (scim: ScimContext, id: string) => Promise<Changed>
  readonly create: (scim: ScimContext, body: unknown) => Promise<Changed>
  readonly replace: Change
  readonly patch: Change
  readonly remove: (scim: ScimContext, id: string, ifMatch: string | undefined) => Promise<void>
  readonly toBody: (scim: ScimContext, id: string, query: ListQuery) => Promise<object>
  /** Whether the response to a PATCH has the resource. A group can have many members. */
  readonly showsPatched: boolean
}

type Change = (scim: ScimContext, id: string, body: unknown, ifMatch: string | undefined) => Promise<Changed>

const users: Resource = {
  list: listUsers,
  find: requireScimUser,
  create: createScimUser,
  replace: replaceScimUser,
  patch: patchScimUser,
  remove: deleteScimUser,
  showsPatched: true,
  toBody: async (scim, id, { attributes, excludedAttributes }) => {
    const record = await findScimUser(scim.services.table, scim.caller.connection.id, id)
    if (!record) throw notFound()
    const projection = readProjection(getUserType(scim), attributes, excludedAttributes)
    return toUserBody(scim, record, projection, { hasGroups: true })
  },
}

const groups: Resource = {
  list: listGroups,
  find: requireScimGroup,
  create: createScimGroup,
  replace: replaceScimGroup,
  patch: patchScimGroup,
  remove: deleteScimGroup,
  showsPatched: false,
  toBody: async (scim, id, { attributes, excludedAttributes }) => {
    const record = await findScimGroup(scim.services.table, scim.caller.connection.id, id)
    if (!record) throw notFound()
    return toGroupBody(scim, record, readProjection(resourceTypes.Group, attributes, excludedAttributes))
  },
}

const resources: ReadonlyMap<string, Resource> = new Map([
  ['Users', users],
  ['Groups', groups],
])

const requireResource = (name: string): Resource => {
  const found = resources.get(name)
  if (!found) throw new ScimError(404, undefined, 'Nothing has this path. See /ResourceTypes.')
  return found
}

/** Attributes to show that cannot be read are refused before anything is written. */
const requireProjection = (scim: ScimContext, { query }: ScimRequest): void => {
  readProjection(getUserType(scim), query.attributes, query.excludedAttributes)
}

export const listResources = async (
  scim: ScimContext,
  name: string,
  { query }: ScimRequest,
): Promise<ScimReply> => showDocuments(scim, name) ?? requireResource(name).list(scim, query)

export const getResource = async (
  scim: ScimContext,
  name: string,
  id: string,
  { query, ifNoneMatch }: ScimRequest,
): Promise<ScimReply> => {
  const document = showDocument(scim, name, id)
  if (document) return document
  const resource = requireResource(name)
  const { version } = await resource.find(scim, id)
  const headers = { etag: toEntityTag(version) }
  if (ifNoneMatch !== undefined && listsTag(ifNoneMatch, version)) return { status: 304, headers }
  return { status: 200, headers, body: await resource.toBody(scim, id, query) }
}

export const createResource = async (
  scim: ScimContext,
  name: string,
  body: unknown,
  request: ScimRequest,
): Promise<ScimReply> => {
  if (name === '.search')
    throw new ScimError(
      501,
      undefined,
      'Search with GET and the parameter filter. POST to .search is not supported.',
    )
  if (isDocument(name)) {
    const error = new ScimError(405, undefined, 'Read this document with GET. It cannot be changed.')
    return { ...toErrorReply(error), headers: { allow: 'GET' } }
  }
  const resource = requireResource(name)
  requireProjection(scim, request)
  const { id, version } = await resource.create(scim, body)
  return {
    status: 201,
    headers: { location: `${scim.baseUrl}/${name}/${id}`, etag: toEntityTag(version) },
    body: await resource.toBody(scim, id, request.query),
  }
}

export const replaceResource = async (
  scim: ScimContext,
  name: string,
  id: string,
  body: unknown,
  request: ScimRequest,
): Promise<ScimReply> => {
  const resource = requireResource(name)
  requireProjection(scim, request)
  const { version } = await resource.replace(scim, id, body, request.ifMatch)
  return {
    status: 200,
    headers: { etag: toEntityTag(version) },
    body: await resource.toBody(scim, id, request.query),
  }
}

export const patchResource = async (
  scim: ScimContext,
  name: string,
  id: string,
  body: unknown,
  request: ScimRequest,
): Promise<ScimReply> => {
  const resource = requireResource(name)
  requireProjection(scim, request)
  const { version } = await resource.patch(scim, id, body, request.ifMatch)
  const headers = { etag: toEntityTag(version) }
  return resource.showsPatched
    ? { status: 200, headers, body: await resource.toBody(scim, id, request.query) }
    : { status: 204, headers }
}

export const deleteResource = async (
  scim: ScimContext,
  name: string,
  id: string,
  { ifMatch }: ScimRequest,
): Promise<ScimReply> => {
  await requireResource(name).remove(scim, id, ifMatch)
  return { status: 204 }
}

/** Answers with the error of the protocol. Others are for the handler, which knows when to try again. */
export const answerErrors = async (work: () => Promise<ScimReply>): Promise<ScimReply> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ScimError) return toErrorReply(error)
    if (error instanceof ConflictError || (error instanceof AppError && error.code === 'conflict'))
      return toErrorReply(new ScimError(409, undefined, describeConflict(error)))
    throw error
  }
}

const describeConflict = (error: ConflictError | AppError): string =>
  error instanceof AppError && error.details.detail !== undefined
    ? error.details.detail
    : 'The resource was changed by another request. Read it again, then retry.'
