import { noEarlierEntries } from '../directory/user-step.ts'
import { editUserEndingSessions } from '../directory/users.ts'
import { type Condition, isPresent, type Update } from '../engine/expressions.ts'
import { sessionKey, userKey } from '../engine/keys.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { EditConflict, wasCommitted } from '../engine/transaction-errors.ts'
import type { SessionRecord } from '../records/session-record.ts'
import type { UserChanges, UserRecord } from '../records/user-record.ts'
import { buildSamlSessionSteps, getSamlMarkerKeys } from './saml-session-index.ts'
import { buildKeepSessionStep, buildSessionStep } from './sessions.ts'

/**
 * Ends a session. Its tickets end at the same moment, also those that are being created concurrently, because each check
 * of a ticket reads the session. Does nothing if the session has ended already.
 */
export const endSession = async (
  table: Table,
  session: SessionRecord,
  extraSteps: readonly Step[],
): Promise<void> => {
  const deletion = { delete: sessionKey(session.userId, session.hash), condition: isPresent }
  const steps = [{ ...deletion, orElse: () => new SessionAlreadyEnded() }, ...buildMarkerSteps(session)]
  try {
    await table.transact([...steps, ...extraSteps])
  } catch (error) {
    if (!(error instanceof SessionAlreadyEnded)) throw error
  }
}

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
): Promise<void> =>
  table.transact([
    {
      delete: sessionKey(session.userId, session.hash),
      condition: (x) =>
        `${x.path('credentialEpoch')} = ${x.value(session.credentialEpoch)} AND ${condition(x)}`,
    },
    ...buildMarkerSteps(session),
    buildSessionStep(to),
    ...buildSamlSessionSteps(to, session.createdAt),
    ...extraSteps,
  ])

/** Deletes the markers by which an identity provider finds the session. */
const buildMarkerSteps = (session: SessionRecord): readonly Step[] =>
  getSamlMarkerKeys(session).map((key): Step => ({ delete: key }))

class SessionAlreadyEnded extends Error {}

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
      ...Object.entries(noEarlierEntries).map(([name, value]) => `${x.path(name)} = ${x.value(value)}`),
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
