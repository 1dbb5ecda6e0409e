import { editUserEndingSessions } from '../directory/users.ts'
import { isPresent, type Update } from '../engine/expressions.ts'
import { sessionKey, userKey } from '../engine/keys.ts'
import type { Table } from '../engine/table.ts'
import type { OrElse, Step } from '../engine/transaction.ts'
import { type CombinableError, EditConflict, wasCommitted } from '../engine/transaction-errors.ts'
import { findWithUser } from '../records/find-with-user.ts'
import { type SessionRecord, sessionCodec } from '../records/session-record.ts'
import type { UserChanges, UserRecord } from '../records/user-record.ts'
import { getSamlMarkerKeys } from './saml-session-index.ts'

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
  const [session, user] = await findWithUser(table, sessionCodec, sessionKey(userId, hash), userId)
  return { session, user }
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
  const gone: Step = {
    delete: sessionKey(session.userId, session.hash),
    condition: isPresent,
    orElse: () => new SessionAlreadyEnded(),
  }
  const remember = (id: number): Step => ({
    update: userKey(id),
    changes: (x) => ({
      set: [`${x.path('endedSessions', session.hash)} = ${x.value(nowMs)}`],
      remove: id === user.id ? forgotten.map(([hash]) => x.path('endedSessions', hash)) : [],
      condition: isPresent(x),
    }),
    orElse: () => new UsersDeleted([id]),
  })
  const marker = getSamlMarkerKeys(session).map((key): Step => ({ delete: key }))
  const end = async (users: readonly number[]): Promise<void> => {
    try {
      await table.transact([gone, ...users.map(remember), ...marker, ...along])
    } catch (error) {
      if (error instanceof SessionAlreadyEnded) return
      if (!(error instanceof UsersDeleted)) throw error
      // A deleted user has no tickets. The session ends in any case.
      await end(users.filter((id) => !error.ids.includes(id)))
    }
  }
  // Two users while an administrator's session goes on as somebody else: tickets lie with either.
  const { userId, impersonation = { userId } } = session
  await end([...new Set([user.id, userId, impersonation.userId])])
}

class SessionAlreadyEnded extends Error {}

class UsersDeleted extends Error implements CombinableError {
  readonly ids: readonly number[]

  constructor(ids: readonly number[]) {
    super('users of the session were deleted')
    this.ids = ids
  }

  combine(other: Error): UsersDeleted | undefined {
    return other instanceof UsersDeleted ? new UsersDeleted([...this.ids, ...other.ids]) : undefined
  }
}

/** Notes that a session was used; one that has ended meanwhile stays ended. */
export const updateSessionLastSeen = async (
  table: Table,
  session: SessionRecord,
  nowMs: number,
): Promise<void> => {
  await wasCommitted(
    table.update(sessionKey(session.userId, session.hash), (x) => ({
      set: [`${x.path('lastSeenAt')} = ${x.value(nowMs)}`],
      condition: isPresent(x),
    })),
  )
}

/**
 * Ends all sessions and tickets of a user, whatever else is happening to it; false when there is no such user. An edit
 * that read the user before this loses, or it would set the epoch back.
 */
export const endAllSessions = async (
  table: Table,
  userId: number,
  along: readonly Step[],
): Promise<boolean> => {
  const changes: Update = (x) => ({
    set: [
      `${x.path('credentialEpoch')} = ${x.path('credentialEpoch')} + ${x.value(1)}`,
      `${x.path('version')} = ${x.path('version')} + ${x.value(1)}`,
      `${x.path('tickets')} = ${x.value({})}`,
      `${x.path('endedSessions')} = ${x.value({})}`,
    ],
    condition: isPresent(x),
  })
  return wasCommitted(table.transact([{ update: userKey(userId), changes }, ...along]))
}

/** So many of the sessions that the table holds of a user; some of them may have ended. */
export const findSessions = async (
  table: Table,
  userId: number,
  limit: number,
): Promise<readonly SessionRecord[]> => {
  const { pk, sk } = sessionKey(userId, '')
  const items = await table.page({ pk, from: sk, to: `${sk}~`, limit })
  return items.map(sessionCodec.decode)
}

const stepsPerTransaction = 100

/** Deletes sessions that are revoked already, so that they no longer appear in lists. */
export const deleteSessions = async (table: Table, sessions: readonly SessionRecord[]): Promise<void> => {
  for (let at = 0; at < sessions.length; at += stepsPerTransaction) {
    const some = sessions.slice(at, at + stepsPerTransaction)
    await table.transact(some.map(({ userId, hash }) => ({ delete: sessionKey(userId, hash) })))
  }
}

/** Takes a session along into a new epoch of its user, which ends all others. */
export const buildKeepSessionStep = (
  session: SessionRecord,
  credentialEpoch: number,
  orElse?: OrElse,
): Step => ({
  update: sessionKey(session.userId, session.hash),
  changes: (x) => ({
    set: [`${x.path('credentialEpoch')} = ${x.value(credentialEpoch)}`],
    condition: isPresent(x),
  }),
  orElse,
})

/**
 * Changes a user as it was read, and ends its sessions but the one that it asks from, and all of its tickets.
 *
 * @throws EditConflict when it was changed, or that session ended, since.
 */
export const editUserEndingOtherSessions = (
  table: Table,
  user: UserRecord,
  session: SessionRecord,
  changes: UserChanges,
  along: readonly Step[] = [],
): Promise<UserRecord> => {
  const keep = buildKeepSessionStep(session, user.credentialEpoch + 1, () => new EditConflict())
  return editUserEndingSessions(table, user, changes, [keep, ...along])
}

/**
 * Lets a session go on as another user, until a time.
 *
 * @throws ConditionFailed when the session ended, or goes on as somebody at this time.
 */
export const storeImpersonation = (
  table: Table,
  session: SessionRecord,
  impersonation: NonNullable<SessionRecord['impersonation']>,
  nowMs: number,
  along: readonly Step[],
): Promise<void> => {
  const changes: Update = (x) => ({
    set: [`${x.path('impersonation')} = ${x.value(impersonation)}`],
    condition: [
      isPresent(x),
      `(attribute_not_exists(${x.path('impersonation')}) OR ${x.path('impersonation', 'until')} <= ${x.value(nowMs)})`,
    ].join(' AND '),
  })
  return table.transact([{ update: sessionKey(session.userId, session.hash), changes }, ...along])
}

/** @throws ConditionFailed when the session goes on as nobody. */
export const endImpersonation = (
  table: Table,
  session: SessionRecord,
  along: readonly Step[],
): Promise<void> => {
  const changes: Update = (x) => ({
    remove: [x.path('impersonation')],
    condition: `attribute_exists(${x.path('impersonation')})`,
  })
  return table.transact([{ update: sessionKey(session.userId, session.hash), changes }, ...along])
}
