import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { listUsers } from '../../accounts/users/find-users.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { type ListRequest, readPageRequest, toListReply } from '../../http/paging.ts'
import type { UseCase } from '../../http/use-case.ts'
import { conflict, notFound } from '../../kernel/errors/errors.ts'
import { buildScimAudience } from '../../kernel/settings/jwt-audiences.ts'
import type { ScimKind } from '../../kernel/table/keys/scim-keys.ts'
import { mapRows, readPage } from '../../kernel/table/listing.ts'
import type { Item } from '../../kernel/table/transaction.ts'
import { formatTime } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import type { Connection } from '../connections/records.ts'
import { isUsableAddress } from '../connections/usable-domains.ts'
import { readOrganizations } from '../organizations/records.ts'
import { readScimCalls, type ScimCallRecord, scimCallsShown } from '../provisioning/calls.records.ts'
import { decodeScimGroup, findScimGroups, type ScimGroupRecord } from '../provisioning/groups.records.ts'
import { getScimListing } from '../provisioning/pages.records.ts'
import { decodeScimUser, findScimUsers, type ScimUserRecord } from '../provisioning/users.records.ts'
import { assignPerson } from './assign-person.ts'
import { returnScimUser } from './change-user.ts'
import type { ScimCall, ScimGroup, ScimPerson, ScimPreview, ScimPreviewRequest } from './directory.models.ts'
import type { scimDirectory } from './directory.operations.ts'
import { previewRequest } from './preview.ts'
import { requireCompany, requireOwn } from './require-company.ts'
import { answerErrors } from './resources.ts'
import type { ScimContext } from './scim-context.ts'
import { ScimError } from './scim-error.ts'

/** Reads one page of the people or groups of a directory. */
const readResources = async <Row, Body>(
  request: ListRequest,
  { table, config }: Services,
  { id }: Connection,
  kind: ScimKind,
  decode: (item: Item) => Row,
  toBodies: (rows: readonly Row[]) => Promise<readonly Body[]>,
) => {
  const page = await readPage(table, getScimListing(id, kind), readPageRequest(request), async (entries) =>
    entries.map(({ item }) => decode(item)),
  )
  return { status: 200, ...toListReply(request, config, await mapRows(page, toBodies)) } as const
}

const readPeople = (request: ListRequest, services: Services, connection: Connection) =>
  readResources(request, services, connection, 'user', decodeScimUser, async (people) => {
    const ids = [...new Set(people.flatMap(({ userId }) => userId ?? []))]
    const users = await listUsers(services.table, ids)
    const known = new Map(users.flatMap((user) => (user ? [[user.id, user] as const] : [])))
    return people.map((person) => toPerson(connection, person, known.get(person.userId ?? 0)))
  })

const toPerson = (
  connection: Connection,
  { id, userName, externalId, isActive, end, addresses, changedAt }: ScimUserRecord,
  user: UserRecord | undefined,
): ScimPerson => {
  const all = [...addresses, ...(userName.includes('@') ? [userName.toLowerCase()] : [])]
  const usable = all.find((address) => isUsableAddress(connection, address))
  return {
    id,
    user_name: userName,
    external_id: externalId ?? null,
    active: isActive,
    ended_by: isActive ? null : end?.by === 'here' ? 'service' : 'directory',
    user: user?.id ?? null,
    account_username: user?.username ?? null,
    address: usable ?? all[0] ?? null,
    address_use: all.length === 0 ? 'none' : describeUse(all, usable, user),
    changed_at: formatTime(changedAt),
  }
}

const describeUse = (
  all: readonly string[],
  usable: string | undefined,
  user: UserRecord | undefined,
): ScimPerson['address_use'] => {
  if (usable === undefined) return 'outside_domains'
  if (!user) return 'at_sign_in'
  return all.includes(user.email?.toLowerCase() ?? '') ? 'used' : 'other_address'
}

const readGroups = (request: ListRequest, services: Services, connection: Connection) =>
  readResources(request, services, connection, 'group', decodeScimGroup, async (groups) =>
    groups.map(toGroup),
  )

const toGroup = ({ id, displayName, externalId, changedAt }: ScimGroupRecord): ScimGroup => ({
  id,
  display_name: displayName,
  external_id: externalId ?? null,
  changed_at: formatTime(changedAt),
})

const readCalls = async ({ table, now }: Services, { id }: Connection) => {
  const calls = await readScimCalls(table, id, { nowMs: now(), limit: scimCallsShown })
  const nameless = calls.flatMap(({ name, resourceId }) =>
    name === undefined && resourceId !== undefined ? [resourceId] : [],
  )
  const ids = [...new Set(nameless)]
  const [people, groups] = await Promise.all([findScimUsers(table, id, ids), findScimGroups(table, id, ids)])
  // Another call had the name of what was deleted since.
  const names = new Map([
    ...calls.flatMap(({ resourceId, name }) =>
      resourceId !== undefined && name !== undefined ? [[resourceId, name] as const] : [],
    ),
    ...people.map((one) => [one.id, one.userName] as const),
    ...groups.map((one) => [one.id, one.displayName] as const),
  ])
  return {
    status: 200,
    body: calls.map((call) => toCall(call, call.name ?? names.get(call.resourceId ?? ''))),
  } as const
}

const toCall = (call: ScimCallRecord, name: string | undefined): ScimCall => ({
  at: formatTime(call.at),
  method: call.method as ScimCall['method'],
  resource: call.resource,
  status: call.status,
  scim_type: call.scimType ?? null,
  detail: call.detail ?? null,
  resource_id: call.resourceId ?? null,
  name: name ?? null,
  advice: advise(call),
})

/** What people do about the response to a request. */
const advise = ({ status, scimType, isEndedHere }: ScimCallRecord): ScimCall['advice'] => {
  if (status < 400) return isEndedHere ? 'ended_here' : 'none'
  if (status === 409) return scimType === 'uniqueness' ? 'taken' : 'conflict'
  if (status === 400) return scimType === 'tooMany' ? 'too_many' : 'request'
  return adviceOfStatus.get(status) ?? 'failed'
}

const adviceOfStatus: ReadonlyMap<number, ScimCall['advice']> = new Map([
  [404, 'unknown'],
  [412, 'changed'],
  [413, 'too_large'],
  [501, 'not_supported'],
])

/** What a request of the directory of a connection would act with. */
const createScim = async (
  services: Services,
  context: RequestContext,
  connection: Connection,
): Promise<ScimContext> => {
  const { id, organization_id: organizationId } = connection
  const [organization] =
    organizationId === null ? [] : await readOrganizations(services.table, [organizationId])
  return {
    services,
    context,
    caller: { connection, organization },
    baseUrl: buildScimAudience(services.config.publicUrl, id),
  }
}

const preview = async (
  services: Services,
  context: RequestContext,
  connection: Connection,
  request: ScimPreviewRequest,
) => {
  const scim = await createScim(services, context, connection)
  let plan: ScimPreview['plan'] = []
  const { status, body } = await answerErrors(async () => {
    const found = await previewRequest(scim, request)
    plan = [...found.plan]
    return found.reply
  })
  return { status: 200, body: { status, body: body ? JSON.stringify(body) : null, plan } } as const
}

const assign = async (
  services: Services,
  context: RequestContext,
  connection: Connection,
  assignment: Parameters<typeof assignPerson>[1],
) => {
  const scim = { services, context, caller: { connection, organization: undefined } }
  const { person, user } = await assignPerson(scim, assignment)
  return { status: 200, body: toPerson(connection, person, user) } as const
}

/**
 * @throws AppError `not_found`
 * @throws AppError `conflict` if somebody here ended the person
 */
const bringBackPerson = async (
  services: Services,
  context: RequestContext,
  connection: Connection,
  personId: string,
) => {
  const person = await returnScimUser(await createScim(services, context, connection), personId).catch(
    (error: unknown) => {
      if (!(error instanceof ScimError)) throw error
      throw error.status === 404 ? notFound('person') : conflict(error.message)
    },
  )
  if (!person.isActive)
    throw conflict('Somebody here ended this person. The directory did not, so they cannot be brought back.')
  const [user] = await listUsers(services.table, person.userId === undefined ? [] : [person.userId])
  return { status: 200, body: toPerson(connection, person, user) } as const
}

export const bringBackConnectionScimUser: UseCase<typeof scimDirectory.bringBackConnectionScimUser> = async (
  { params, context },
  services,
) => bringBackPerson(services, context, await requireCompany(services.table, params.id), params.person)

export const bringBackOrganizationScimUser: UseCase<
  typeof scimDirectory.bringBackOrganizationScimUser
> = async ({ params, organization, context }, services) =>
  bringBackPerson(
    services,
    context,
    await requireOwn(services.table, organization, params.connection_id),
    params.person,
  )

export const assignConnectionScimUser: UseCase<typeof scimDirectory.assignConnectionScimUser> = async (
  { params, body, context },
  services,
) =>
  assign(services, context, await requireCompany(services.table, params.id), {
    personId: params.person,
    userId: body.user,
    isByManager: false,
  })

export const assignOrganizationScimUser: UseCase<typeof scimDirectory.assignOrganizationScimUser> = async (
  { params, body, organization, context },
  services,
) =>
  assign(services, context, await requireOwn(services.table, organization, params.connection_id), {
    personId: params.person,
    userId: body.user,
    isByManager: !organization.isForService,
  })

export const listConnectionScimUsers: UseCase<typeof scimDirectory.listConnectionScimUsers> = async (
  request,
  services,
) => readPeople(request, services, await requireCompany(services.table, request.params.id))

export const listConnectionScimGroups: UseCase<typeof scimDirectory.listConnectionScimGroups> = async (
  request,
  services,
) => readGroups(request, services, await requireCompany(services.table, request.params.id))

export const listConnectionScimCalls: UseCase<typeof scimDirectory.listConnectionScimCalls> = async (
  { params },
  services,
) => readCalls(services, await requireCompany(services.table, params.id))

export const previewConnectionScim: UseCase<typeof scimDirectory.previewConnectionScim> = async (
  { params, body, context },
  services,
) => preview(services, context, await requireCompany(services.table, params.id), body)

export const listOrganizationScimUsers: UseCase<typeof scimDirectory.listOrganizationScimUsers> = async (
  request,
  services,
) =>
  readPeople(
    request,
    services,
    await requireOwn(services.table, request.organization, request.params.connection_id),
  )

export const listOrganizationScimGroups: UseCase<typeof scimDirectory.listOrganizationScimGroups> = async (
  request,
  services,
) =>
  readGroups(
    request,
    services,
    await requireOwn(services.table, request.organization, request.params.connection_id),
  )

export const listOrganizationScimCalls: UseCase<typeof scimDirectory.listOrganizationScimCalls> = async (
  { params, organization },
  services,
) => readCalls(services, await requireOwn(services.table, organization, params.connection_id))

export const previewOrganizationScim: UseCase<typeof scimDirectory.previewOrganizationScim> = async (
  { params, body, organization, context },
  services,
) => preview(services, context, await requireOwn(services.table, organization, params.connection_id), body)
