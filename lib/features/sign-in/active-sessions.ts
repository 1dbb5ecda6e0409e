import { listSessions } from '../../accounts/sessions/find-sessions.records.ts'
import { isSessionInUse } from '../../accounts/sessions/session-rules.ts'
import type { SessionRecord } from '../../accounts/sessions/stored-session.records.ts'
import { deleteSessions, stepsPerTransaction } from '../../accounts/sessions/write-sessions.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { sessionsPerList, sessionsReadPerList } from '../../kernel/limits/limits.ts'
import type { Services } from '../../services.ts'

/**
 * Finds the active sessions of a user, also those that only an app still uses: at most the newest `sessionsPerList` and the
 * one of the request. A session that a
 * link opened sees only itself. Sessions of links are left out once the recipient's own session has ended.
 */
export const findActiveSessions = async (
  services: Services,
  user: UserRecord,
  requestSession: SessionRecord | undefined,
): Promise<readonly SessionRecord[]> => {
  const stored = await listSessions(services.table, user.id, sessionsReadPerList)
  await deleteEndedSessions(services, user, stored)
  // The session of an administrator is no session of the user whom they look at or impersonate.
  const current = requestSession?.userId === user.id ? requestSession : undefined
  const isCurrent = ({ hash }: SessionRecord) => hash === current?.hash
  const all = current && !stored.some(isCurrent) ? [...stored, current] : stored
  const active = all.filter((session) => isSessionInUse(services, session, user))
  if (current?.accessLink) return active.filter(isCurrent)
  const hashes = new Set(active.map(({ hash }) => hash))
  const own = active.filter(
    ({ accessLink }) => !accessLink || accessLink.isGuest || hashes.has(accessLink.ownSession ?? ''),
  )
  return own
    .sort((a, b) => Number(isCurrent(b)) - Number(isCurrent(a)) || b.createdAt - a.createdAt)
    .slice(0, sessionsPerList)
}

/**
 * Deletes some of the sessions that can never work again. Their items remain after all sessions of a user were ended, so
 * that ending any number of sessions is one write. A failure is only logged, because they expire in any case.
 */
const deleteEndedSessions = async (
  { table, now, log }: Services,
  user: UserRecord,
  sessions: readonly SessionRecord[],
): Promise<void> => {
  const ended = sessions.filter(
    // An epoch never returns. A session of a later one was kept by a change since the user was read.
    ({ credentialEpoch, expiresAt, clients }) =>
      // A job deletes those with clients, which it has to inform.
      (credentialEpoch < user.credentialEpoch && !clients) || expiresAt <= now(),
  )
  await deleteSessions(table, ended.slice(0, stepsPerTransaction)).catch((error: unknown) =>
    log.warn('sessions.not_deleted', { user: user.id, error }),
  )
}
