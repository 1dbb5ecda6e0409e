import type { Principal, SessionPrincipal } from '../../accounts/callers/principal.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { endAllSessions, endSession } from '../../accounts/sessions/end-sessions.records.ts'
import type { SessionRecord } from '../../accounts/sessions/stored-session.records.ts'
import { requireUser } from '../../accounts/users/require-records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { buildClearedSessionCookies } from '../../http/authenticate.ts'
import { type ListRequest, readPageRequest, toListReply } from '../../http/paging.ts'
import type { UseCase } from '../../http/use-case.ts'
import type { Ordering } from '../../kernel/contract/query.ts'
import { notFound, requireFound } from '../../kernel/errors/errors.ts'
import { buildPage } from '../../kernel/table/listing.ts'
import { sortableId } from '../../kernel/util/sortable-id.ts'
import { formatTime } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { readConnections } from '../connections/records.ts'
import { requireRightToChange } from '../directory/rights/account-rights.ts'
import { buildLogoutAuditSteps } from '../impersonation/rules.ts'
import { findActiveSessions } from './active-sessions.ts'
import type { sessions } from './operations.ts'
import type { Session, SessionProvider } from './sessions.models.ts'

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
  const ids = [
    ...new Set(sessions.flatMap(({ providerSubject: subject }) => (subject ? [subject.providerId] : []))),
  ]
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
  saml_provider: providers.get(session.providerSubject?.providerId) ?? null,
  access_token: session.accessLink?.id ?? null,
})

/** Ends one of the caller's own sessions with its tickets. Sessions of other users are not found. */
export const endOwnSession: UseCase<typeof sessions.endOwnSession> = async (request, services) => {
  const { params, principal } = request
  // An API token must not sign an administrator out.
  if (principal.kind === 'api_token') await requireRightToChange(services, principal, principal.user)
  return endOne(services, request, principal.user, params.id)
}

/** Ends one session of a user with its tickets. */
export const endUserSession: UseCase<typeof sessions.endUserSession> = async (request, services) => {
  const { params, principal } = request
  const user = await requireUser(services.table, params.id)
  await requireRightToChange(services, principal, user)
  return endOne(services, request, user, params.session_id)
}

interface EndRequest {
  readonly principal: Principal
  readonly context: RequestContext
}

/** @throws AppError `not_found` if the user has no active session with this ID. */
const endOne = async (
  services: Services,
  { principal, context }: EndRequest,
  user: UserRecord,
  id: number,
): Promise<{ status: 204; cookies?: readonly string[] }> => {
  const active = await findActiveSessions(services, user, principal.session)
  const session = requireFound(
    active.find((one) => one.id === id),
    'session',
    'It may have ended already.',
  )
  const audit = auditStep(context, 'session.ended', { user: user.id, target: String(session.id) })
  await endSession(services.table, session, [audit])
  const isCurrent = session.hash === principal.hash
  return { status: 204, ...(isCurrent ? { cookies: buildClearedSessionCookies(services.config) } : {}) }
}

/** Signs a user out everywhere. Their sessions, tickets, and password reset links end with one write. */
export const endUserSessions: UseCase<typeof sessions.endUserSessions> = async (
  { params, principal, context },
  services,
) => {
  const user = await requireUser(services.table, params.id)
  await requireRightToChange(services, principal, user)
  const audit = auditStep(context, 'session.ended', { user: user.id, target: 'all' })
  if (!(await endAllSessions(services.table, user, [audit]))) throw notFound('user')
  return { status: 204 }
}

/** Ends the current session, if there is one, and always clears the cookie. */
export const logout: UseCase<typeof sessions.logout> = async ({ principal, context }, services) => {
  await endCurrentSession(principal, context, services)
  return { status: 204, cookies: buildClearedSessionCookies(services.config) }
}

/** Ends the current session and redirects a browser to the sign-in page. */
export const logoutPage: UseCase<typeof sessions.logoutPage> = async (
  { principal, context, acceptsHtml },
  services,
) => {
  await endCurrentSession(principal, context, services)
  const cookies = buildClearedSessionCookies(services.config)
  return acceptsHtml
    ? { status: 303, headers: { location: services.config.signInUrl }, cookies }
    : { status: 204, cookies }
}

const endCurrentSession = async (
  principal: SessionPrincipal | undefined,
  context: RequestContext,
  services: Services,
): Promise<void> => {
  if (!principal) return
  await endSession(services.table, principal.session, buildLogoutAuditSteps(context, principal))
}
