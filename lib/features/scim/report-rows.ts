import { auditStep } from '../../accounts/events/write-event.ts'
import type { FindRevoked } from '../../accounts/users/leak-row.ts'
import { findRevokedMade } from '../leaked-credentials/made.records.ts'
import { deleteScimToken, findTokenAndConnection } from './tokens.records.ts'

/** The tokens of directories that the user created in the period that they disowned. */
export const findRevokedScimTokens: FindRevoked = async (services, user) =>
  (await findRevokedMade(services, user, 'scim_token')).map(
    ({ connectionId, hash }) =>
      async ({ table }, context) => {
        const { token, connection } = await findTokenAndConnection(table, connectionId, hash)
        if (!token) return
        const organization = connection?.organization_id
        await deleteScimToken(table, token, [
          auditStep({ ...context, ...(organization == null ? {} : { organization }) }, 'scim.token_deleted', {
            target: `${connectionId} ${token.id}`,
          }),
        ])
      },
  )
