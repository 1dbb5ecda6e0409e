import type { HoldingRow } from '../../accounts/users/holding-row.ts'
import { getOpenInvitation } from '../../accounts/users/invitation-state.ts'

/** An invitation belongs to the epoch of the sessions of its user. */
export const invitation: HoldingRow = {
  count: ({ now }, user) => (now() < (getOpenInvitation(user)?.expiresAt ?? 0) ? 1 : 0),
}
