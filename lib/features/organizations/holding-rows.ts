import { endEach } from '../../accounts/users/end-each.ts'
import type { HoldingRow } from '../../accounts/users/holding-row.ts'
import { disownAll } from '../../accounts/users/revoked-credentials.records.ts'
import { findRevokedMade } from '../leaked-credentials/made.records.ts'
import { readOrganizationInvitations } from './invitations.records.ts'
import { findRevokedOrganizationInvitations } from './report-rows.ts'

/** The open invitations that the user answers for. */
export const organizationInvitation: HoldingRow = {
  count: async (services, user) => {
    const made = await findRevokedMade(services, disownAll(user), 'organization_invitation')
    const ids = [...new Set(made.map(({ invitationId }) => invitationId))]
    const found = await readOrganizationInvitations(services.table, ids)
    return found.filter((one) => one?.invitedBy === user.id && services.now() < one.expiresAt).length
  },
  endRest: endEach(findRevokedOrganizationInvitations),
}
