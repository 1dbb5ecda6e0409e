import { randomInt } from 'node:crypto'
import { endedSessionRetentionMs, sessionIdleMs, sessionLifetimeMs } from '../../core/limits.ts'
import { mintCredential } from '../../secrets/credentials.ts'
import type { Services } from '../../services.ts'
import type { Step } from '../../store/engine/transaction.ts'
import type { SessionLink, SessionRecord } from '../../store/records/session-record.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import { createSession, endSession as endStoredSession } from '../../store/sign-in/sessions.ts'
import { isActive } from '../common/active-user.ts'
import type { RequestContext } from '../common/request-context.ts'

/**
 * Opens a session and returns its credential, which is nowhere else from then on. Always a new one: what an
 * attacker may have planted before sign-in is worth nothing after it. One that a link opens lives no longer than that.
 */
export const openSession = async (
  services: Services,
  user: UserRecord,
  context: RequestContext,
  along: readonly Step[] = [],
  link?: SessionLink & { readonly expiresAt: number | null },
): Promise<string> => {
  const { value, session } = buildSession(services, user, context, {
    expiresAt: link?.expiresAt ?? null,
    ...(link ? { accessToken: { id: link.id, isGuest: link.isGuest, createdBy: link.createdBy } } : {}),
  })
  await createSession(services.table, session, along)
  return value
}

/** What a session hangs on besides its user, and when it ends at the latest: epoch milliseconds. */
type Origin = Pick<SessionRecord, 'accessToken' | 'saml'> & { readonly expiresAt: number | null }

/** A session that isn't stored yet, and its credential. */
export const buildSession = (
  { now }: Services,
  user: UserRecord,
  context: RequestContext,
  { expiresAt, ...origin }: Origin,
): { readonly value: string; readonly session: SessionRecord } => {
  const { value, hash } = mintCredential('session', user.id)
  const at = now()
  const session = {
    hash,
    id: randomInt(1, 2 ** 31),
    userId: user.id,
    // Should the password change while this runs, the epoch is an old one and the session is dead as it is born.
    credentialEpoch: user.credentialEpoch,
    createdAt: at,
    lastSeenAt: at,
    expiresAt: Math.min(at + sessionLifetimeMs, expiresAt ?? Number.POSITIVE_INFINITY),
    address: context.address,
    userAgent: context.userAgent.slice(0, 255),
    ...origin,
  }
  return { value, session }
}

/** Whether a session works at this moment, for a user as it is at this moment. */
export const isSessionActive = (session: SessionRecord, user: UserRecord, nowMs: number): boolean =>
  session.credentialEpoch === user.credentialEpoch &&
  nowMs < session.expiresAt &&
  nowMs < session.lastSeenAt + sessionIdleMs &&
  isActive(user, nowMs)
/** Ends a session, together with the steps in `along`; nothing happens when it has ended already. */
export const endSession = (
  { table, now }: Services,
  session: SessionRecord,
  user: UserRecord,
  along: readonly Step[],
): Promise<void> => endStoredSession(table, session, user, now(), endedSessionRetentionMs, along)
