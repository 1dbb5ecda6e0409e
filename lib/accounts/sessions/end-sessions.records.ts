import { type Condition, isPresent, type Update } from '../../kernel/table/expressions.ts'
import { sessionKey, userKey } from '../../kernel/table/keys/keys.ts'
import { findRecord } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { EditConflict, type Step, wasCommitted } from '../../kernel/table/transaction.ts'
import { findUser } from '../users/find-users.records.ts'
import type { UserChanges, UserRecord } from '../users/stored-user.records.ts'
import { editUserEndingSessions } from '../users/write-users.records.ts'
import {
  buildSessionLogoutSteps,
  buildUserLogoutSteps,
  hasClientsAsRead,
  hasNoNewClientSessions,
} from './logout-jobs.records.ts'
import { buildConnectionSessionSteps, getSessionMarkerKeys } from './session-index.records.ts'
import { type AuthenticationMethod, type SessionRecord, sessionCodec } from './stored-session.records.ts'
import { buildKeepSessionStep, buildSessionStep } from './write-sessions.records.ts'

/**
 * Ends a session. Its tickets end at the same moment, also those that are being created concurrently, because each check
 * of a ticket reads the session. Does nothing if the session has ended already. If it gave tokens to OpenID Connect
 * clients, a job to inform them is stored with it.
 */
export const endSession = async (
  table: Table,
  session: SessionRecord,
  extraSteps: readonly Step[],
): Promise<void> => {
  const key = sessionKey(session.userId, session.hash)
  // Each attempt fails because the session got another client, of which there can only be a few.
  for (let current: SessionRecord | undefined = session; current; ) {
    try {
      await table.transact([...buildEndSteps(current), ...extraSteps])
      return
    } catch (error) {
      if (!(error instanceof SessionChanged)) throw error
      current = await findRecord(table, sessionCodec, key)
    }
  }
}

/** Builds the steps that end a session as it was read. The first one fails with `SessionChanged`. */
const buildEndSteps = (session: SessionRecord): readonly Step[] => [
  {
    delete: sessionKey(session.userId, session.hash),
    condition: (x) => `${isPresent(x)} AND ${hasClientsAsRead(session)(x)}`,
    orElse: () => new SessionChanged(),
  },
  ...buildMarkerSteps(session),
  ...buildSessionLogoutSteps(session),
]

export interface MoveSessionOptions {
  /** The session with its new credential. */
  readonly to: SessionRecord
  /** Must hold for the stored session. */
  readonly condition: Condition
  readonly extraSteps: readonly Step[]
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
  { to, condition, extraSteps }: MoveSessionOptions,
): Promise<void> => {
  // The tokens of the clients name the old credential, so for them the session ends.
  const { clients: _, clientAccess: __, ...moved } = to
  return table.transact([
    {
      delete: sessionKey(session.userId, session.hash),
      condition: (x) =>
        [
          `${x.path('credentialEpoch')} = ${x.value(session.credentialEpoch)}`,
          hasClientsAsRead(session)(x),
          condition(x),
        ].join(' AND '),
    },
    ...buildMarkerSteps(session),
    ...buildSessionLogoutSteps(session),
    buildSessionStep(moved),
    ...buildConnectionSessionSteps(moved, session.createdAt),
    ...extraSteps,
  ])
}

/** Deletes the markers by which an identity provider finds the session. */
const buildMarkerSteps = (session: SessionRecord): readonly Step[] =>
  getSessionMarkerKeys(session).map((key): Step => ({ delete: key }))

class SessionChanged extends Error {}

/**
 * Ends all sessions and tickets of a user. Concurrent edits do not prevent this: an edit that read the user before
 * conflicts, because it would restore the old epoch. Returns false if the user does not exist.
 */
export const endAllSessions = async (
  table: Table,
  user: Pick<UserRecord, 'id' | 'hasClientSessions'>,
  extraSteps: readonly Step[],
): Promise<boolean> => {
  if (await raiseEpoch(table, user, extraSteps)) return true
  // The user was deleted, or got their first session with OpenID Connect clients.
  const current = await findUser(table, user.id)
  return current !== undefined && raiseEpoch(table, current, extraSteps)
}

const raiseEpoch = (
  table: Table,
  user: Pick<UserRecord, 'id' | 'hasClientSessions'>,
  extraSteps: readonly Step[],
): Promise<boolean> => {
  const changes: Update = (x) => ({
    set: [
      `${x.path('credentialEpoch')} = ${x.path('credentialEpoch')} + ${x.value(1)}`,
      `${x.path('version')} = ${x.path('version')} + ${x.value(1)}`,
    ],
    condition: `${isPresent(x)} AND ${hasNoNewClientSessions(user)(x)}`,
  })
  const steps = [{ update: userKey(user.id), changes }, ...buildUserLogoutSteps(user), ...extraSteps]
  return wasCommitted(table.transact(steps))
}

/**
 * Changes a user as they were read. Ends all their tickets, and all their sessions except the one of the request. `proven` names
 * what the request proved besides.
 *
 * @throws EditConflict if the user was changed, or that session ended, since they were read.
 */
export const editUserEndingOtherSessions = (
  table: Table,
  { user, session }: { readonly user: UserRecord; readonly session: SessionRecord },
  changes: UserChanges,
  extraSteps: readonly Step[] = [],
  proven: readonly AuthenticationMethod[] = [],
): Promise<UserRecord> => {
  const keepStep = buildKeepSessionStep(session, user.credentialEpoch + 1, () => new EditConflict(), proven)
  return editUserEndingSessions(table, user, changes, { extraSteps: [keepStep, ...extraSteps] })
}
