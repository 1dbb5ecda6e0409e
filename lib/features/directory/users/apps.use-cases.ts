import type { RequestContext } from '../../../accounts/callers/request-context.ts'
import { auditStep } from '../../../accounts/events/write-event.ts'
import { listSessions } from '../../../accounts/sessions/find-sessions.records.ts'
import { isSessionInUse } from '../../../accounts/sessions/session-rules.ts'
import type { SessionRecord } from '../../../accounts/sessions/stored-session.records.ts'
import { requireUser } from '../../../accounts/users/require-records.ts'
import type { UserRecord } from '../../../accounts/users/stored-user.records.ts'
import { type ListRequest, readPageRequest, toListReply } from '../../../http/paging.ts'
import type { UseCase } from '../../../http/use-case.ts'
import type { Ordering } from '../../../kernel/contract/query.ts'
import { notFound, requireFound } from '../../../kernel/errors/errors.ts'
import { sessionsReadPerList } from '../../../kernel/limits/limits.ts'
import { buildPage } from '../../../kernel/table/listing.ts'
import { readListedByIds } from '../../../kernel/table/records.ts'
import { EditConflict } from '../../../kernel/table/transaction.ts'
import { sortableId } from '../../../kernel/util/sortable-id.ts'
import { formatTime } from '../../../kernel/util/time.ts'
import type { Services } from '../../../services.ts'
import {
  endClientAccess,
  findClientAccess,
  listClientAccess,
  sessionsPerAccessEnd,
} from '../../oauth/client-access.records.ts'
import { type ConnectedApp, openidScopes } from '../../oauth/clients.models.ts'
import { type ClientRecord, clientKind, findClientById, findClientIds } from '../../oauth/clients.records.ts'
import { type ProtectedApi, protectedApiKind } from '../../oauth/protected-apis.records.ts'
import { requireRightToChange } from '../rights/account-rights.ts'
import type { users } from './users.operations.ts'

/** Whether there is such a client is not said to users who gave it no access. */
const noApp = ['app', 'Read the list of apps that have access.'] as const

/** Lists the clients that can get tokens about the caller. */
export const getOwnApps: UseCase<typeof users.getOwnApps> = async (request, services) => ({
  status: 200,
  ...(await listApps(services, request, request.principal.user)),
})

/** Lists the clients that can get tokens about a user. */
export const getUserApps: UseCase<typeof users.getUserApps> = async (request, services) => {
  const user = await requireUser(services.table, request.params.id)
  return { status: 200, ...(await listApps(services, request, user)) }
}

/** Ends the access of a client to the caller. */
export const endOwnApp: UseCase<typeof users.endOwnApp> = async (
  { params, principal: { user }, context },
  services,
) => {
  await endAccess(services, user, params.id, context)
  return { status: 204 }
}

/** Ends the access of a client to a user. */
export const endUserApp: UseCase<typeof users.endUserApp> = async (
  { params, principal, context },
  services,
) => {
  const user = await requireUser(services.table, params.id)
  await requireRightToChange(services, principal, user)
  await endAccess(services, user, params.app_id, context)
  return { status: 204 }
}

/** A client with what it may do in all sessions of a user together. */
interface App {
  readonly client: ClientRecord
  readonly since: number
  readonly usedAt: number
  readonly scopes: ReadonlySet<string>
}

/** Takes two table calls for up to 100 clients: one for the sessions of the user, and one for the clients. */
const findApps = async (services: Services, user: UserRecord): Promise<readonly App[]> => {
  const uses = (await findActiveSessions(services, user)).flatMap((session) => [
    ...listClientAccess(session, ({ subject }) => subject === user.id),
  ])
  const ids = await findClientIds(services.table, [...new Set(uses.map(([clientId]) => clientId))])
  const clients = await readListedByIds(services.table, clientKind, [...new Set(ids)])
  return clients.flatMap((client) => {
    if (!client) return []
    const found = uses.flatMap(([clientId, access]) => (clientId === client.clientId ? [access] : []))
    return {
      client,
      since: Math.min(...found.map(({ since }) => since)),
      usedAt: Math.max(...found.map(({ usedAt }) => usedAt)),
      scopes: new Set(found.flatMap(({ scopes }) => scopes)),
    }
  })
}

const findActiveSessions = async (
  services: Services,
  user: UserRecord,
): Promise<readonly SessionRecord[]> => {
  const stored = await listSessions(services.table, user.id, sessionsReadPerList)
  return stored.filter((session) => isSessionInUse(services, session, user))
}

interface AppListRequest extends ListRequest {
  readonly query: ListRequest['query'] & { readonly ordering: Ordering<'id' | 'connected_at'> }
}

const listApps = async (
  services: Services,
  request: AppListRequest,
  user: UserRecord,
): Promise<ReturnType<typeof toListReply<ConnectedApp>>> => {
  const getSortKey = request.query.ordering.field === 'id' ? formatId : formatAge
  const { rows, next } = buildPage(await findApps(services, user), getSortKey, readPageRequest(request))
  const apis = await readApis(
    services,
    rows.map(({ row }) => row),
  )
  const bodies = rows.map(({ indexKey, row }) => ({ indexKey, row: toBody(row, apis) }))
  return toListReply(request, services.config, { rows: bodies, next })
}

const formatId = ({ client }: App): string => sortableId(client.id)
const formatAge = (app: App): string => `${formatTime(app.since)}#${formatId(app)}`

type Apis = ReadonlyMap<number, ProtectedApi>

/** Reads the APIs of some clients to show them. Takes one table call, or none without APIs. */
const readApis = async ({ table }: Services, apps: readonly App[]): Promise<Apis> => {
  const ids = new Set(apps.flatMap(({ client }) => client.apis.map(({ id }) => id)))
  const apis = await readListedByIds(table, protectedApiKind, [...ids])
  return new Map(apis.flatMap((api) => (api ? [[api.id, api]] : [])))
}

const toBody = ({ client, since, usedAt, scopes }: App, apis: Apis): ConnectedApp => ({
  id: client.id,
  name: client.name,
  // A scope that was taken from the client counts no longer.
  scopes: openidScopes.filter((scope) => scopes.has(scope) && client.scopes.includes(scope)),
  apis: client.apis.flatMap((allowed) => {
    const api = apis.get(allowed.id)
    if (!api) return []
    const granted = api.scopes.filter(({ name }) => allowed.scopes.includes(name) && scopes.has(name))
    return [
      {
        name: api.name,
        audience: api.audience,
        scopes: granted.map(({ name, texts }) => ({ name, texts })),
      },
    ]
  }),
  connected_at: formatTime(since),
  last_used_at: formatTime(usedAt),
})

/** How often the sessions are read again because one of them changed. */
const retries = 5

/**
 * Ends the access of a client to a user, in all sessions that it has access in.
 *
 * @throws AppError `not_found` if it has none
 */
const endAccess = async (
  services: Services,
  user: UserRecord,
  id: number,
  context: RequestContext,
): Promise<void> => {
  const { table, now } = services
  const { clientId, backchannel_logout_uri: backchannelLogoutUri } = requireFound(
    await findClientById(table, id),
    ...noApp,
  )
  const client = { clientId, subject: user.id }
  const isInformed = backchannelLogoutUri !== null
  const hasAccess = (session: SessionRecord) => findClientAccess(session, client)?.access !== undefined
  const audit = auditStep(context, 'oidc_client.access_ended', { user: user.id, target: String(id) })
  let sessions = (await findActiveSessions(services, user)).filter(hasAccess)
  if (sessions.length === 0) throw notFound(...noApp)
  for (let failures = 0; failures < retries; ) {
    const some = sessions.slice(0, sessionsPerAccessEnd)
    const isEnded = await endClientAccess(table, some, {
      client,
      nowMs: now(),
      isInformed,
      extraSteps: [audit],
    })
    if (!isEnded) failures++
    sessions = isEnded
      ? sessions.slice(some.length)
      : (await findActiveSessions(services, user)).filter(hasAccess)
    if (sessions.length === 0) return
  }
  throw new EditConflict()
}
