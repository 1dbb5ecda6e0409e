import type { Principal } from '../../lib/accounts/common/principal.ts'
import { isSessionActive } from '../../lib/accounts/sign-in/sessions.ts'
import { sessionsPerList } from '../../lib/core/limits.ts'
import type { Services } from '../../lib/services.ts'
import type { SessionRecord } from '../../lib/store/records/session-record.ts'
import { findSessions } from '../../lib/store/sign-in/sessions.ts'

/**
 * Finds the active sessions of the caller. A session that a link opened sees only itself. Sessions of links are left out
 * once the recipient's own session has ended.
 */
export const findOwnSessions = async (
  services: Services,
  { user, session: current }: Principal,
): Promise<readonly SessionRecord[]> => {
  const all = await findSessions(services.table, user.id, sessionsPerList)
  const active = all.filter((session) => isSessionActive(services, session, user))
  if (current?.accessToken) return active.filter(({ hash }) => hash === current.hash)
  const hashes = new Set(active.map(({ hash }) => hash))
  return active.filter(
    ({ accessToken }) => !accessToken || accessToken.isGuest || hashes.has(accessToken.ownSession ?? ''),
  )
}
