import { outdatedEntriesPerWrite } from '../../core/limits.ts'
import { editUserEndingSessions } from '../directory/users.ts'
import { type Condition, isPresent, type Update } from '../engine/expressions.ts'
import { sessionKey, userKey } from '../engine/keys.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { type CombinableError, EditConflict, wasCommitted } from '../engine/transaction-errors.ts'
import type { SessionRecord } from '../records/session-record.ts'
import type { UserChanges, UserRecord } from '../records/user-record.ts'
import { buildSamlSessionSteps, getSamlMarkerKeys } from './saml-session-index.ts'
import { buildKeepSessionStep, buildSessionStep } from './sessions.ts'

export interface EndSessionOptions {
  /** Epoch milliseconds. */
  readonly nowMs: number
  /** For how long the user record remembers the end: at least as long as a ticket can live, in milliseconds. */
  readonly retentionMs: number
  readonly extraSteps?: readonly Step[]
}

/**
 * Ends a session. The user record remembers the end for a while. So the tickets of the session are revoked at the same
 * moment, also those that are being created concurrently. Does nothing if the session has ended already.
 */
export const endSession = async (
  table: Table,
  session: SessionRecord,
  user: UserRecord,
  options: EndSessionOptions,
): Promise<void> => {
  const deleteStep: Step = {
    delete: sessionKey(session.userId, session.hash),
    condition: isPresent,
    orElse: () => new SessionAlreadyEnded(),
  }
  try {
    await endWithTickets(table, session, user, { ...options, deleteStep })
  } catch (error) {
    if (!(error instanceof SessionAlreadyEnded)) throw error
  }
}

export interface MoveSessionOptions extends EndSessionOptions {
  /** The session with its new credential. */
  readonly to: SessionRecord
  /** Must hold for the stored session. */
  readonly condition: Condition
}

/**
 * Gives a session a new credential, in one transaction. The old one and its tickets end at the same moment, and what
 * depends on the old one ends with it. A session from an identity provider stays known to the provider's sign-out.
 *
 * @throws ConditionFailed if the session has ended or was moved, the condition does not hold, or its provider signed the
 * user out.
 */
export const moveSession = (
  table: Table,
  session: SessionRecord,
  user: UserRecord,
  { to, condition, extraSteps = [], ...options }: MoveSessionOptions,
): Promise<void> =>
  endWithTickets(table, session, user, {
    ...options,
    deleteStep: {
      delete: sessionKey(session.userId, session.hash),
      condition: (x) =>
        `${x.path('credentialEpoch')} = ${x.value(session.credentialEpoch)} AND ${condition(x)}`,
    },
    extraSteps: [buildSessionStep(to), ...buildSamlSessionSteps(to, session.createdAt), ...extraSteps],
  })

const endWithTickets = async (
  table: Table,
  session: SessionRecord,
  user: UserRecord,
  { nowMs, retentionMs, deleteStep, extraSteps = [] }: EndSessionOptions & { readonly deleteStep: Step },
): Promise<void> => {
  const outdated = Object.entries(user.endedSessions)
    .filter(([, endedAt]) => endedAt <= nowMs - retentionMs)
    .slice(0, outdatedEntriesPerWrite)
  const buildRememberStep = (id: number): Step => ({
    update: userKey(id),
    changes: (x) => ({
      set: [`${x.path('endedSessions', session.hash)} = ${x.value(nowMs)}`],
      remove: id === user.id ? outdated.map(([hash]) => x.path('endedSessions', hash)) : [],
      condition: isPresent(x),
    }),
    orElse: () => new UsersDeleted([id]),
  })
  const markerSteps = getSamlMarkerKeys(session).map((key): Step => ({ delete: key }))
  const endForUsers = async (userIds: readonly number[]): Promise<void> => {
    try {
      await table.transact([deleteStep, ...userIds.map(buildRememberStep), ...markerSteps, ...extraSteps])
    } catch (error) {
      if (!(error instanceof UsersDeleted)) throw error
      // A deleted user has no tickets. The session ends in any case.
      await endForUsers(userIds.filter((id) => !error.ids.includes(id)))
    }
  }
  // Tickets of a session of a link depend on its item. The record of a shared guest must not grow with each logout.
  if (session.accessToken) return endForUsers([])
  // While an administrator impersonates a user, both have tickets of the session.
  const { userId, impersonation = { userId } } = session
  await endForUsers([...new Set([user.id, userId, impersonation.userId])])
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

/**
 * Ends all sessions and tickets of a user. Concurrent edits do not prevent this: an edit that read the user before
 * conflicts, because it would restore the old epoch. Returns false if the user does not exist.
 */
export const endAllSessions = async (
  table: Table,
  userId: number,
  extraSteps: readonly Step[],
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
  return wasCommitted(table.transact([{ update: userKey(userId), changes }, ...extraSteps]))
}

/**
 * Changes a user as they were read. Ends all their tickets, and all their sessions except the one of the request.
 *
 * @throws EditConflict if the user was changed, or that session ended, since they were read.
 */
export const editUserEndingOtherSessions = (
  table: Table,
  { user, session }: { readonly user: UserRecord; readonly session: SessionRecord },
  changes: UserChanges,
  extraSteps: readonly Step[] = [],
): Promise<UserRecord> => {
  const keepStep = buildKeepSessionStep(session, user.credentialEpoch + 1, () => new EditConflict())
  return editUserEndingSessions(table, user, changes, { extraSteps: [keepStep, ...extraSteps] })
}
