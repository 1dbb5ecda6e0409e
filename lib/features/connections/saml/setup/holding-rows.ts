import { endEach } from '../../../../accounts/users/end-each.ts'
import type { HoldingRow } from '../../../../accounts/users/holding-row.ts'
import { disownAll } from '../../../../accounts/users/revoked-credentials.records.ts'
import { findRevokedMade } from '../../../leaked-credentials/made.records.ts'
import { findSamlConnection } from '../records.ts'
import { findRevokedSetupLinks } from './report-rows.ts'
import { findOpenLink } from './setup-links.ts'

/** The open set-up links that the user made. */
export const setupLink: HoldingRow = {
  count: async (services, user) => {
    const made = await findRevokedMade(services, disownAll(user), 'saml_setup')
    const open = await Promise.all(
      made.map(async ({ connectionId, linkId }) => {
        const connection = await findSamlConnection(services.table, connectionId)
        return connection && findOpenLink(connection, services.now())?.id === linkId
      }),
    )
    return open.filter(Boolean).length
  },
  endRest: endEach(findRevokedSetupLinks),
}
