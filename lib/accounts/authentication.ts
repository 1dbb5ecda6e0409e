import type { CredentialKind } from '../contract/access.ts'
import { lastSeenPrecisionMs } from '../core/limits.ts'
import { isOurForm, parseCredential } from '../secrets/credentials.ts'
import type { Services } from '../services.ts'
import { findSessionAndUser, type SessionRecord, touchSession } from '../store/sessions.ts'
import type { UserRecord } from '../store/user-record.ts'
import { touchUser } from '../store/user-sightings.ts'
import { findUser } from '../store/users.ts'
import { findByApiToken } from './api-token-authentication.ts'
import { isLinkAlive } from './guests.ts'
import { mayUse } from './permissions.ts'
import { findResetToken } from './reset-tokens.ts'
import { isLive, mayAct } from './sessions.ts'

/** Who is asking, proven by a credential. */
export interface Principal {
  /** Whose rights count: the impersonated user's, while there is one. */
  readonly user: UserRecord
  /** The administrator who goes on as `user`, while one does. */
  readonly actor?: UserRecord
  readonly kind: CredentialKind
  /** The hash of the credential, which tickets that it makes die with. */
  readonly hash: string
  /** The session, where the credential is one: all others stand for their user alone. */
  readonly session?: SessionRecord
}

export interface SessionPrincipal extends Principal {
  readonly session: SessionRecord
}

/**
 * The kind of a bearer credential, by its form alone; what isn't of a form of ours may be an API token that its
 * owner chose. Undefined for whatever was mistyped, and for kinds that never authenticate a request.
 */
export const kindOf = (bearer: string): CredentialKind | undefined => {
  if (!isOurForm(bearer)) return /^[\w.~-]{32,1023}$/.test(bearer) ? 'api_token' : undefined
  const kind = parseCredential(bearer)?.kind
  return kind === 'session' || kind === 'api_token' || kind === 'reset_token' ? kind : undefined
}

/**
 * The principal behind a bearer credential of this kind, read anew in one call to the table, or two where a link has
 * opened the session. Undefined for whatever is malformed, unknown, expired or ended: the caller is told of none of these apart.
 */
export const authenticate = (
  services: Services,
  bearer: string,
  kind: CredentialKind,
): Promise<Principal | undefined> => {
  if (kind === 'session') return bySession(services, bearer)
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

const bySession = async (services: Services, bearer: string): Promise<Principal | undefined> => {
  const credential = parseCredential(bearer)
  if (!credential) return undefined
  const { hash, subject } = credential
  const { session, user } = await findSessionAndUser(services.table, subject, hash)
  if (!session || !user || !isLive(session, user, services.now())) return undefined
  if (session.accessToken && !(await isLinkAlive(services, session.accessToken, user))) return undefined
  const owner = await seen(services, session, user)
  const { impersonation } = session
  if (!impersonation || services.now() >= impersonation.until)
    return { kind: 'session', hash, session, user: owner }
  const other = await impersonated(services, owner, impersonation.userId)
  return other && { kind: 'session', hash, session, user: other, actor: owner }
}

/**
 * The user that an administrator goes on as. Undefined, and so nobody at all, when either of them is no longer what
 * that takes: the administrator still one, the other enabled and none.
 */
const impersonated = async (
  { table, now }: Services,
  admin: UserRecord,
  userId: number,
): Promise<UserRecord | undefined> => {
  const user = await findUser(table, userId)
  if (!user || !mayAct(user, now())) return undefined
  const [isAdminStill, isAdminNow] = await Promise.all([
    mayUse(table, admin, 'system:admin-access'),
    mayUse(table, user, 'system:admin-access'),
  ])
  return isAdminStill && !isAdminNow ? user : undefined
}

/** Records the use of a session, now and then, and returns its user accordingly. */
const seen = async (services: Services, session: SessionRecord, user: UserRecord): Promise<UserRecord> => {
  const now = services.now()
  const isStale = (at: number | null) => at === null || now - at >= lastSeenPrecisionMs
  const writes = [
    ...(isStale(session.lastSeenAt) ? [touchSession(services.table, session, now)] : []),
    ...(isStale(user.lastSeenAt) ? [touchUser(services.table, user.id, now)] : []),
  ]
  const results = await Promise.allSettled(writes)
  for (const result of results)
    if (result.status === 'rejected') services.log.warn('last_seen.not_written', { error: result.reason })
  return writes.length > 0 ? { ...user, lastSeenAt: now } : user
}
