import { randomInt } from 'node:crypto'
import { endedSessionMemoryMs, sessionIdleMs, sessionLifetimeMs } from '../../core/limits.ts'
import { mintCredential } from '../../secrets/credentials.ts'
import type { Services } from '../../services.ts'
import type { Step } from '../../store/engine/transaction.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import {
  createSession,
  endSession as endStoredSession,
  type SessionLink,
  type SessionRecord,
} from '../../store/sign-in/sessions.ts'
import type { Visitor } from '../common/request-context.ts'

/**
 * Opens a session and returns its credential, which is nowhere else from then on. Always a new one: what an
 * attacker may have planted before sign-in is worth nothing after it. One that a link opens lives no longer than that.
 */
export const openSession = async (
  services: Services,
  user: UserRecord,
  visitor: Visitor,
  along: readonly Step[] = [],
  link?: SessionLink & { readonly expiresAt: number | null },
): Promise<string> => {
  const { value, session } = newSession(services, user, visitor, {
    expiresAt: link?.expiresAt ?? null,
    ...(link ? { accessToken: { id: link.id, asGuest: link.asGuest, createdBy: link.createdBy } } : {}),
  })
  await createSession(services.table, session, along)
  return value
}

/** What a session hangs on besides its user, and when it ends at the latest: epoch milliseconds. */
type Origin = Pick<SessionRecord, 'accessToken' | 'saml'> & { readonly expiresAt: number | null }

/** A session that isn't stored yet, and its credential. */
export const newSession = (
  { now }: Services,
  user: UserRecord,
  visitor: Visitor,
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
    address: visitor.address,
    userAgent: visitor.userAgent.slice(0, 255),
    ...origin,
  }
  return { value, session }
}

/** Whether a session works at this moment, for a user as it is at this moment. */
export const isLive = (session: SessionRecord, user: UserRecord, nowMs: number): boolean =>
  session.credentialEpoch === user.credentialEpoch &&
  nowMs < session.expiresAt &&
  nowMs < session.lastSeenAt + sessionIdleMs &&
  mayAct(user, nowMs)

/** Whether an account works at all: neither disabled nor expired. */
export const mayAct = (user: UserRecord, nowMs: number): boolean =>
  user.isEnabled && (user.expiresAt === null || nowMs < user.expiresAt)

/** Ends a session, together with the steps in `along`; nothing happens when it has ended already. */
export const endSession = (
  { table, now }: Services,
  session: SessionRecord,
  user: UserRecord,
  along: readonly Step[],
): Promise<void> => endStoredSession(table, session, user, now(), endedSessionMemoryMs, along)
