import type { Principal } from '../../lib/accounts/common/principal.ts'
import { requireRightToChange } from '../../lib/accounts/directory/account-rights.ts'
import { requireUser } from '../../lib/accounts/directory/require-records.ts'
import type { Session, SessionProvider } from '../../lib/contract/models/sessions.ts'
import type { sessions } from '../../lib/contract/operations/sessions.ts'
import type { Ordering } from '../../lib/contract/query.ts'
import { type ListRequest, readPageRequest, toListReply } from '../../lib/http/paging.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import type { Services } from '../../lib/services.ts'
import { readConnections } from '../../lib/store/connections/connections.ts'
import type { UserRecord } from '../../lib/store/directory/user-record.ts'
import { buildPage } from '../../lib/store/engine/listing.ts'
import type { SessionRecord } from '../../lib/store/sign-in/session-record.ts'
import { formatTime } from '../../lib/util/format-time.ts'
import { sortableId } from '../../lib/util/sortable-id.ts'
import { findActiveSessions } from './active-sessions.ts'

/** Lists the caller's sessions. */
export const getOwnSessions: UseCase<typeof sessions.getOwnSessions> = async (request, services) => ({
  status: 200,
  ...(await listSessions(services, request, request.principal.user)),
})

/** Lists the sessions of a user. Callers see only what they may end, because it shows where someone is. */
export const getUserSessions: UseCase<typeof sessions.getUserSessions> = async (request, services) => {
  const user = await requireUser(services.table, request.params.id)
  await requireRightToChange(services, request.principal, user)
  return { status: 200, ...(await listSessions(services, request, user)) }
}

interface SessionListRequest extends ListRequest {
  readonly query: ListRequest['query'] & { readonly ordering: Ordering<'id' | 'created_at'> }
  readonly principal: Principal
}

/**
 * A user has only a few sessions, so they are read in one query and sorted here. An index entry for each session would
 * cost every sign-in a write.
 */
const listSessions = async (
  services: Services,
  request: SessionListRequest,
  user: UserRecord,
): Promise<ReturnType<typeof toListReply<Session>>> => {
  const { principal, query } = request
  const active = await findActiveSessions(services, user, principal.session)
  const getSortKey = query.ordering.field === 'id' ? formatId : formatAge
  const { rows, next } = buildPage(active, getSortKey, readPageRequest(request))
  const providers = await findProviders(
    services,
    rows.map(({ row }) => row),
  )
  const bodies = rows.map(({ indexKey, row }) => ({
    indexKey,
    row: toSessionBody(row, principal.session, providers),
  }))
  return toListReply(request, services.config, { rows: bodies, next })
}

const formatId = ({ id }: SessionRecord): string => sortableId(id)
const formatAge = (session: SessionRecord): string => `${formatTime(session.createdAt)}#${formatId(session)}`

type Providers = ReadonlyMap<number | undefined, SessionProvider>

/** Finds the identity providers of sessions in at most one call to the table. */
const findProviders = async ({ table }: Services, sessions: readonly SessionRecord[]): Promise<Providers> => {
  const ids = [...new Set(sessions.flatMap(({ saml }) => (saml ? [saml.providerId] : [])))]
  const found = await readConnections(table, ids)
  return new Map(
    found.flatMap((provider) => (provider ? [[provider.id, { id: provider.id, name: provider.name }]] : [])),
  )
}

const toSessionBody = (
  session: SessionRecord,
  current: SessionRecord | undefined,
  providers: Providers,
): Session => ({
  id: session.id,
  created_at: formatTime(session.createdAt),
  last_seen: formatTime(session.lastSeenAt),
  expires: formatTime(session.expiresAt),
  ip: session.address,
  user_agent: session.userAgent,
  country: session.country ?? null,
  is_current: session.hash === current?.hash,
  saml_provider: providers.get(session.saml?.providerId) ?? null,
  access_token: session.accessToken?.id ?? null,
})
