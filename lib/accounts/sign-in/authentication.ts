import type { CredentialKind } from '../../contract/access.ts'
import type { EndsSession } from '../../contract/operation.ts'
import { lastSeenPrecisionMs } from '../../core/limits.ts'
import { isOurForm, parseCredential } from '../../secrets/credentials.ts'
import type { Services } from '../../services.ts'
import { updateUserLastSeen } from '../../store/directory/last-seen.ts'
import { findUser } from '../../store/directory/users.ts'
import type { SessionRecord } from '../../store/records/session-record.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import { findSessionAndUser, updateSessionLastSeen } from '../../store/sign-in/sessions.ts'
import type { Principal, SessionPrincipal } from '../common/principal.ts'
import { findResetToken } from '../passwords/reset-tokens.ts'
import { findByApiToken } from './api-token-authentication.ts'
import { findImpersonatedUser, isImpersonating } from './impersonation.ts'
import { isLinkActive } from './link-session.ts'
import { isSessionActive } from './sessions.ts'

/**
 * The kind of a bearer credential, by its form alone; what isn't of a form of ours may be an API token that its
 * owner chose. Undefined for whatever was mistyped, and for kinds that never authenticate a request.
 */
export const detectCredentialKind = (bearer: string): CredentialKind | undefined => {
  if (!isOurForm(bearer)) return /^[\w.~-]{32,1023}$/.test(bearer) ? 'api_token' : undefined
  const kind = parseCredential(bearer)?.kind
  return kind === 'session' || kind === 'api_token' || kind === 'reset_token' ? kind : undefined
}

/**
 * The principal behind a bearer credential of this kind, read anew in one call to the table, or two where a link has
 * opened the session. Undefined for whatever is malformed, unknown, expired or ended: the caller is told of none of these
 * apart. Who is only `leaving` is asked for less: what is to end need not work.
 */
export const authenticate = (
  services: Services,
  bearer: string,
  kind: CredentialKind,
  leaving?: EndsSession,
): Promise<Principal | undefined> => {
  if (kind === 'session') return bySession(services, bearer, leaving)
  return kind === 'api_token' ? byApiToken(services, bearer) : byResetToken(services, bearer)
}

const byResetToken = async (services: Services, value: string): Promise<Principal | undefined> => {
  const found = await findResetToken(services, value)
  return found && { kind: 'reset_token', hash: found.token.hash, user: found.user }
}

const byApiToken = async (services: Services, value: string): Promise<Principal | undefined> => {
  const found = await findByApiToken(services, value)
  return found && { kind: 'api_token', hash: found.token.hash, user: found.user }
}

const bySession = async (
  services: Services,
  bearer: string,
  leaving: EndsSession | undefined,
): Promise<Principal | undefined> => {
  const credential = parseCredential(bearer)
  if (!credential) return undefined
  const { hash, subject } = credential
  const { session, user } = await findSessionAndUser(services.table, subject, hash)
  if (!session || !user) return undefined
  const asIs = (id: number) => findUser(services.table, id)
  if (leaving === 'session') return goingOn(services, session, user, asIs)
  if (!isSessionActive(session, user, services.now())) return undefined
  if (session.accessToken && !(await isLinkActive(services, session.accessToken, user))) return undefined
  const owner = await seen(services, session, user)
  if (leaving === 'impersonation') return goingOn(services, session, owner, asIs)
  const principal = await goingOn(services, session, owner, (id) => findImpersonatedUser(services, owner, id))
  return isImpersonating(session, services.now()) && !principal.actor ? undefined : principal
}

/** The principal of a session, as the user that it goes on as where `find` has one. */
const goingOn = async (
  { now }: Services,
  session: SessionRecord,
  owner: UserRecord,
  find: (userId: number) => Promise<UserRecord | undefined>,
): Promise<SessionPrincipal> => {
  const { hash, impersonation } = session
  const own = { kind: 'session', hash, session, user: owner } as const
  if (!impersonation || !isImpersonating(session, now())) return own
  const other = await find(impersonation.userId)
  return other ? { ...own, user: other, actor: owner } : own
}

/** Records the use of a session, now and then, and returns its user accordingly. */
const seen = async (services: Services, session: SessionRecord, user: UserRecord): Promise<UserRecord> => {
  const now = services.now()
  const isStale = (at: number | null) => at === null || now - at >= lastSeenPrecisionMs
  const writes = [
    ...(isStale(session.lastSeenAt) ? [updateSessionLastSeen(services.table, session, now)] : []),
    ...(isStale(user.lastSeenAt) ? [updateUserLastSeen(services.table, user.id, now)] : []),
  ]
  const results = await Promise.allSettled(writes)
  for (const result of results)
    if (result.status === 'rejected') services.log.warn('last_seen.not_written', { error: result.reason })
  return writes.length > 0 ? { ...user, lastSeenAt: now } : user
}
