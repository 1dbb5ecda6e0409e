import { listSessions } from '../../accounts/sessions/find-sessions.records.ts'
import { isSessionInUse } from '../../accounts/sessions/session-rules.ts'
import type { HoldingRow } from '../../accounts/users/holding-row.ts'
import { sessionsReadPerList } from '../../kernel/limits/limits.ts'
import { listClientAccess } from './client-access.records.ts'

/** Apps with access. It ends with the sessions that gave it. */
export const grant: HoldingRow = {
  count: async (services, user) => {
    const stored = await listSessions(services.table, user.id, sessionsReadPerList)
    const clientIds = stored
      .filter((session) => isSessionInUse(services, session, user))
      .flatMap((session) => [...listClientAccess(session, ({ subject }) => subject === user.id).keys()])
    return new Set(clientIds).size
  },
}
