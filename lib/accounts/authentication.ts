import type { CredentialKind } from '../contract/access.ts'
import { lastSeenPrecisionMs } from '../core/limits.ts'
import { type Credential, parseCredential } from '../secrets/credentials.ts'
import type { Services } from '../services.ts'
import { findSessionAndUser, type SessionRecord, touchSession } from '../store/sessions.ts'
import { touchUser, type UserRecord } from '../store/users.ts'
import { findResetToken } from './reset-tokens.ts'
import { isLive } from './sessions.ts'

/** Who is asking, proven by a credential. */
export interface Principal {
  readonly user: UserRecord
  /** The session, where the credential is one: all others stand for their user alone. */
  readonly session?: SessionRecord
}

export interface SessionPrincipal extends Principal {
  readonly session: SessionRecord
}

/**
 * The principal behind a bearer credential of one of the kinds that count here, read anew in one call to the
 * table. Undefined for whatever is malformed, unknown, expired, ended or of another kind: the caller is told of
 * none of these apart.
 */
export const authenticate = async (
  services: Services,
  bearer: string,
  kinds: readonly CredentialKind[],
): Promise<Principal | undefined> => {
  const credential = parseCredential(bearer)
  const kind = kinds.find((allowed) => allowed === credential?.kind)
  if (!credential || !kind) return undefined
  return kind === 'session' ? bySession(services, credential) : byResetToken(services, bearer)
}

const byResetToken = async (services: Services, value: string): Promise<Principal | undefined> => {
  const found = await findResetToken(services, value)
  return found && { user: found.user }
}

const bySession = async (services: Services, credential: Credential): Promise<Principal | undefined> => {
  const { session, user } = await findSessionAndUser(services.table, credential.subject, credential.hash)
  if (!session || !user || !isLive(session, user, services.now())) return undefined
  return { session, user: await seen(services, session, user) }
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
