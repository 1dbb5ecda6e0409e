import type { Principal } from '../../lib/accounts/common/principal.ts'
import { isSessionActive } from '../../lib/accounts/sign-in/sessions.ts'
import { sessionsPerList } from '../../lib/core/limits.ts'
import type { Services } from '../../lib/services.ts'
import type { SessionRecord } from '../../lib/store/records/session-record.ts'
import { findSessions } from '../../lib/store/sign-in/sessions.ts'

/** Finds the active sessions of the caller. Several people can use a guest link, so guests see only their own session. */
export const findOwnSessions = async (
  { table, now }: Services,
  { user, session: current }: Principal,
): Promise<readonly SessionRecord[]> => {
  const all = await findSessions(table, user.id, sessionsPerList)
  const own = current?.accessToken?.isGuest ? all.filter(({ hash }) => hash === current.hash) : all
  return own.filter((session) => isSessionActive(session, user, now()))
}
