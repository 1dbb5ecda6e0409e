import { auditStep } from '../../../../accounts/events/write-event.ts'
import type { FindRevoked } from '../../../../accounts/users/leak-row.ts'
import { findRevokedMade } from '../../../leaked-credentials/made.records.ts'
import { findSamlConnection } from '../records.ts'
import { endSetupLink, findOpenLink } from './setup-links.ts'

/** The set-up links that the user created then. */
export const findRevokedSetupLinks: FindRevoked = async (services, user) =>
  (await findRevokedMade(services, user, 'saml_setup')).map(
    ({ connectionId, linkId }) =>
      async (found, context) => {
        const connection = await findSamlConnection(found.table, connectionId)
        const link = connection && findOpenLink(connection, found.now())
        if (!connection || link?.id !== linkId) return
        const { organization_id: organization } = connection
        await endSetupLink(found, connection, [
          auditStep(
            { ...context, ...(organization === null ? {} : { organization }) },
            'saml_setup.link_revoked',
            { target: `${connection.id} ${link.id}` },
          ),
        ])
      },
  )
