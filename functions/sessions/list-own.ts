import type { Session, SessionProvider } from '../../lib/contract/models/sessions.ts'
import type { sessions } from '../../lib/contract/operations/sessions.ts'
import { readPageRequest, toListReply } from '../../lib/http/paging.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import type { Services } from '../../lib/services.ts'
import { buildPage } from '../../lib/store/engine/listing.ts'
import { readSamlProviders } from '../../lib/store/saml/saml-providers.ts'
import type { SessionRecord } from '../../lib/store/sign-in/session-record.ts'
import { formatTime } from '../../lib/util/format-time.ts'
import { findOwnSessions } from './own-sessions.ts'

/**
 * Lists the caller's sessions. A user has only a few, so they are read in one query and sorted here. An index entry for
 * each session would cost every sign-in a write.
 */
export const getOwnSessions: UseCase<typeof sessions.getOwnSessions> = async (request, services) => {
  const { principal, query } = request
  const own = await findOwnSessions(services, principal)
  const getSortKey = query.ordering.field === 'id' ? formatId : formatAge
  const { rows, next } = buildPage(own, getSortKey, readPageRequest(request))
  const providers = await findProviders(
    services,
    rows.map(({ row }) => row),
  )
  const bodies = rows.map(({ indexKey, row }) => ({
    indexKey,
    row: toSessionBody(row, principal.session, providers),
  }))
  return { status: 200, ...toListReply(request, services.config, { rows: bodies, next }) }
}

const formatId = ({ id }: SessionRecord): string => String(id).padStart(10, '0')
const formatAge = (session: SessionRecord): string => `${formatTime(session.createdAt)}#${formatId(session)}`

type Providers = ReadonlyMap<number | undefined, SessionProvider>

/** Finds the identity providers of sessions in at most one call to the table. */
const findProviders = async ({ table }: Services, sessions: readonly SessionRecord[]): Promise<Providers> => {
  const ids = [...new Set(sessions.flatMap(({ saml }) => (saml ? [saml.providerId] : [])))]
  const found = await readSamlProviders(table, ids)
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
