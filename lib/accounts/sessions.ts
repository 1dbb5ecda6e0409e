import { randomInt } from 'node:crypto'
import { endedSessionMemoryMs, sessionIdleMs, sessionLifetimeMs } from '../core/limits.ts'
import { mintCredential } from '../secrets/credentials.ts'
import type { Services } from '../services.ts'
import { createSession, endSession as endStoredSession, type SessionRecord } from '../store/sessions.ts'
import type { UserRecord } from '../store/users.ts'

/** Whose request it is that opens a session, for the list of sessions that the user can look at. */
export interface Visitor {
  readonly address: string
  readonly userAgent: string
}

/**
 * Opens a session and returns its credential, which is nowhere else from then on. Always a new one: what an
 * attacker may have planted before sign-in is worth nothing after it.
 */
export const openSession = async (
  { table, now }: Services,
  user: UserRecord,
  visitor: Visitor,
): Promise<string> => {
  const { value, hash } = mintCredential('session', user.id)
  const at = now()
  await createSession(table, {
    hash,
    id: randomInt(1, 2 ** 31),
    userId: user.id,
    // Should the password change while this runs, the epoch is an old one and the session is dead as it is born.
    credentialEpoch: user.credentialEpoch,
    createdAt: at,
    lastSeenAt: at,
    expiresAt: at + sessionLifetimeMs,
    address: visitor.address,
    userAgent: visitor.userAgent.slice(0, 255),
  })
  return value
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

export const endSession = (
  { table, now }: Services,
  session: SessionRecord,
  user: UserRecord,
): Promise<void> => endStoredSession(table, session, user, now(), endedSessionMemoryMs)
