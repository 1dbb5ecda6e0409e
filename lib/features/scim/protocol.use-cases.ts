import { consume } from '../../accounts/callers/throttle.ts'
import type { RequestFacts, UseCase } from '../../http/use-case.ts'
import { buildScimAudience } from '../../kernel/settings/jwt-audiences.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import type { ScimCaller } from './find-token.ts'
import type { ListQuery } from './list-resources.ts'
import { type LoggedRequest, logScimCall } from './log-call.ts'
import type { scimProtocol } from './protocol.operations.ts'
import {
  answerErrors,
  createResource,
  deleteResource,
  getResource,
  listResources,
  patchResource,
  replaceResource,
  type ScimRequest,
} from './resources.ts'
import type { ScimContext } from './scim-context.ts'
import type { ScimReply } from './scim-reply.ts'

type DirectoryRequest = RequestFacts & {
  readonly directory: ScimCaller
  readonly params: { readonly resource: string; readonly resource_key?: string }
  readonly query?: ListQuery | undefined
  readonly body?: unknown
}

/** The parameters of a request, which its operation need not declare. */
const readProjectionQuery = (rawQuery: string): ListQuery => {
  const given = new URLSearchParams(rawQuery)
  return omitUndefined({
    attributes: given.get('attributes') ?? undefined,
    excludedAttributes: given.get('excludedAttributes') ?? undefined,
  })
}

/** The statuses of responses with a body, apart from that of something new. */
type Status = 200 | 400 | 404 | 409 | 412 | 413 | 501

/** Counts a request of a directory, carries it out, notes it, and writes its response. */
const answer = async <Declared extends number = Status>(
  method: LoggedRequest['method'],
  request: DirectoryRequest,
  services: Services,
  work: (scim: ScimContext, given: ScimRequest) => Promise<ScimReply>,
) => {
  const { directory: caller, context, ifMatchHeader, ifNoneMatchHeader } = request
  const { id } = caller.connection
  await consume(services, 'scimRequests', String(id))
  const scim = { services, caller, context, baseUrl: buildScimAudience(services.config.publicUrl, id) }
  const { resource, resource_key: key } = request.params
  const logged = { method, resource, id: key, body: request.body }
  const reply = await answerErrors(() =>
    work(scim, {
      query: { ...readProjectionQuery(request.target.rawQuery), ...request.query },
      ifMatch: ifMatchHeader,
      ifNoneMatch: ifNoneMatchHeader,
    }),
  ).catch(async (error: unknown): Promise<never> => {
    await logScimCall(scim, logged, { status: 500 })
    throw error
  })
  await logScimCall(scim, logged, reply)
  const { status, body, headers } = reply
  return {
    status: status as Declared,
    headers: { ...headers },
    body: body ? JSON.stringify(body) : '',
  } as const
}

/** A response without a body has a status of its own. */
const withoutBody = <Empty extends 204 | 304, Declared extends number>(
  { status, headers, body }: Awaited<ReturnType<typeof answer<Declared>>>,
  empty: Empty,
) => (body === '' ? ({ status: empty, headers } as const) : ({ status, headers, body } as const))

/** Lists people or groups, or describes the service. */
export const listScimResources: UseCase<typeof scimProtocol.listScimResources> = (request, services) =>
  answer('GET', request, services, (scim, given) => listResources(scim, request.params.resource, given))

/** Creates a person or a group, or carries out several requests. */
export const createScimResource: UseCase<typeof scimProtocol.createScimResource> = (request, services) =>
  answer<Status | 201 | 405>('POST', request, services, async (scim, given) => {
    const { resource } = request.params
    if (resource !== 'Bulk') return createResource(scim, resource, request.body, given)
    // Loaded on demand, because few directories send it.
    const { carryOutBulk } = await import('./bulk.ts')
    return carryOutBulk(scim, request.body)
  })

export const getScimResource: UseCase<typeof scimProtocol.getScimResource> = async (request, services) => {
  const { resource, resource_key: key } = request.params
  return withoutBody<304, Status>(
    await answer<Status>('GET', request, services, (scim, given) => getResource(scim, resource, key, given)),
    304,
  )
}

export const replaceScimResource: UseCase<typeof scimProtocol.replaceScimResource> = (request, services) => {
  const { resource, resource_key: key } = request.params
  return answer('PUT', request, services, (scim, given) =>
    replaceResource(scim, resource, key, request.body, given),
  )
}

export const changeScimResource: UseCase<typeof scimProtocol.changeScimResource> = async (
  request,
  services,
) => {
  const { resource, resource_key: key } = request.params
  return withoutBody<204, Status>(
    await answer<Status>('PATCH', request, services, (scim, given) =>
      patchResource(scim, resource, key, request.body, given),
    ),
    204,
  )
}

export const deleteScimResource: UseCase<typeof scimProtocol.deleteScimResource> = async (
  request,
  services,
) => {
  const { resource, resource_key: key } = request.params
  return withoutBody<204, Exclude<Status, 200>>(
    await answer<Exclude<Status, 200>>('DELETE', request, services, (scim, given) =>
      deleteResource(scim, resource, key, given),
    ),
    204,
  )
}
