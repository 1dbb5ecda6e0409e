import type { Principal } from '../../lib/accounts/common/principal.ts'
import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { endSession, isSessionActive } from '../../lib/accounts/sign-in/sessions.ts'
import type { Session, SessionProvider } from '../../lib/contract/models/sessions.ts'
import type { sessions } from '../../lib/contract/operations/sessions.ts'
import { formatTime } from '../../lib/core/format-time.ts'
import { sessionsPerList } from '../../lib/core/limits.ts'
import { requireFound } from '../../lib/core/require-found.ts'
import { readPageRequest, toListReply } from '../../lib/http/paging.ts'
import { buildClearedSessionCookie } from '../../lib/http/session-cookie.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import type { Services } from '../../lib/services.ts'
import { pageOf } from '../../lib/store/engine/listing.ts'
import type { SessionRecord } from '../../lib/store/records/session-record.ts'
import { readSamlProviders } from '../../lib/store/saml/saml-providers.ts'
import { findSessions } from '../../lib/store/sign-in/sessions.ts'

/**
 * Lists the caller's sessions. A person has a handful; they are read in one query and put in order here,
 * since an index entry for each would cost every sign-in a write.
 */
export const getOwnSessions: UseCase<typeof sessions.getOwnSessions> = async (request, services) => {
  const { principal, query } = request
  const own = await liveSessions(services, principal)
  const order = query.ordering.field === 'id' ? placeById : placeByAge
  const { rows, next } = pageOf(own, order, readPageRequest(request))
  const providers = await providersOf(
    services,
    rows.map(({ row }) => row),
  )
  const bodies = rows.map(({ place, row }) => ({
    place,
    row: sessionBody(row, principal.session, providers),
  }))
  return { status: 200, ...toListReply(request, services.config, { rows: bodies, next }) }
}

/** Ends one of the caller's own sessions, its tickets too; nobody else's can be named. */
export const endOwnSession: UseCase<typeof sessions.endOwnSession> = async (
  { params, principal, context },
  services,
) => {
  const { user } = principal
  const sessions = await liveSessions(services, principal)
  const session = requireFound(sessions.find(({ id }) => id === params.id))
  const record = auditStep(context, 'session.ended', { user: user.id, target: String(session.id) })
  await endSession(services, session, user, [record])
  const isCurrent = session.hash === principal.hash
  return { status: 204, ...(isCurrent ? { cookies: [buildClearedSessionCookie(services.config)] } : {}) }
}

/** Of a guest, who may be several people with the same link, the session that asks and no other. */
const liveSessions = async (
  { table, now }: Services,
  { user, session: current }: Principal,
): Promise<readonly SessionRecord[]> => {
  const all = await findSessions(table, user.id, sessionsPerList)
  const own = current?.accessToken?.isGuest ? all.filter(({ hash }) => hash === current.hash) : all
  return own.filter((session) => isSessionActive(session, user, now()))
}

const placeById = ({ id }: SessionRecord): string => String(id).padStart(10, '0')
const placeByAge = (session: SessionRecord): string =>
  `${formatTime(session.createdAt)}#${placeById(session)}`

type Providers = ReadonlyMap<number | undefined, SessionProvider>

/** The identity providers that sessions were opened through, in one call to the table, or in none. */
const providersOf = async ({ table }: Services, sessions: readonly SessionRecord[]): Promise<Providers> => {
  const ids = [...new Set(sessions.flatMap(({ saml }) => (saml ? [saml.providerId] : [])))]
  const found = await readSamlProviders(table, ids)
  return new Map(
    found.flatMap((provider) => (provider ? [[provider.id, { id: provider.id, name: provider.name }]] : [])),
  )
}

const sessionBody = (
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
  is_current: session.hash === current?.hash,
  saml_provider: providers.get(session.saml?.providerId) ?? null,
  access_token: session.accessToken?.id ?? null,
})
