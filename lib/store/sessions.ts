import { isPresent } from './expressions.ts'
import { sessionKey, userKey } from './keys.ts'
import { ConditionFailed } from './outcomes.ts'
import type { Step, Table } from './table.ts'
import { EditConflict, editUserEndingSessions, type UserChanges, type UserRecord } from './users.ts'

export interface SessionRecord {
  readonly hash: string
  /** Random within its user: an order would cost each sign-in a write to a counter, and tell how many there were. */
  readonly id: number
  readonly userId: number
  readonly credentialEpoch: number
  /** Epoch milliseconds, as all times here. */
  readonly createdAt: number
  readonly lastSeenAt: number
  readonly expiresAt: number
  readonly address: string
  readonly userAgent: string
}

/** Makes a session, together with the steps in `along`. @throws ConditionFailed when one of those refuses. */
export const createSession = (
  table: Table,
  session: SessionRecord,
  along: readonly Step[] = [],
): Promise<void> =>
  table.transact([
    {
      put: {
        ...sessionKey(session.userId, session.hash),
        ...session,
        expires_at: Math.ceil(session.expiresAt / 1000),
      },
    },
    ...along,
  ])

/** Reads a session and its user in one call. */
export const findSessionAndUser = async (
  table: Table,
  userId: number,
  hash: string,
): Promise<{ session: SessionRecord | undefined; user: UserRecord | undefined }> => {
  const [session, user] = await table.getMany([sessionKey(userId, hash), userKey(userId)])
  return { session: session as SessionRecord | undefined, user: user as UserRecord | undefined }
}

/**
 * Ends a session. Its user remembers that for a while, so that the tickets it made are dead at the same moment,
 * also those that are being made right now. Ending what has ended already does nothing.
 */
export const endSession = async (
  table: Table,
  session: SessionRecord,
  user: UserRecord,
  nowMs: number,
  memoryMs: number,
  along: readonly Step[] = [],
): Promise<void> => {
  const forgotten = Object.entries(user.endedSessions).filter(([, endedAt]) => endedAt <= nowMs - memoryMs)
  try {
    await table.transact([
      { delete: sessionKey(session.userId, session.hash), condition: isPresent },
      {
        update: userKey(user.id),
        changes: (x) => ({
          set: [`${x.path('endedSessions', session.hash)} = ${x.value(nowMs)}`],
          remove: forgotten.map(([hash]) => x.path('endedSessions', hash)),
          condition: isPresent(x),
        }),
      },
      ...along,
    ])
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
  }
}

/** Notes that a session was used; one that has ended meanwhile stays ended. */
export const touchSession = async (table: Table, session: SessionRecord, nowMs: number): Promise<void> => {
  try {
    await table.update(sessionKey(session.userId, session.hash), (x) => ({
      set: [`${x.path('lastSeenAt')} = ${x.value(nowMs)}`],
      condition: isPresent(x),
    }))
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
  }
}

/** Takes a session along into a new epoch of its user, which ends all others. */
export const keepSessionStep = (session: SessionRecord, credentialEpoch: number): Step => ({
  update: sessionKey(session.userId, session.hash),
  changes: (x) => ({
    set: [`${x.path('credentialEpoch')} = ${x.value(credentialEpoch)}`],
    condition: isPresent(x),
  }),
})

/**
 * Changes a user as it was read, and ends its sessions but the one that it asks from, and all of its tickets.
 *
 * @throws EditConflict when it was changed, or that session ended, since.
 */
export const editUserEndingOtherSessions = async (
  table: Table,
  user: UserRecord,
  session: SessionRecord,
  changes: UserChanges,
  along: readonly Step[] = [],
): Promise<UserRecord> => {
  const keep = keepSessionStep(session, user.credentialEpoch + 1)
  try {
    return await editUserEndingSessions(table, user, changes, [keep, ...along])
  } catch (error) {
    throw error instanceof ConditionFailed && error.steps.includes(1) ? new EditConflict() : error
  }
}
