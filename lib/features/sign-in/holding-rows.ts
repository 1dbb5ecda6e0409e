import type { HoldingRow } from '../../accounts/users/holding-row.ts'
import { findActiveSessions } from './active-sessions.ts'

export const session: HoldingRow = {
  count: async (services, user) => (await findActiveSessions(services, user, undefined)).length,
}
