import { auditStep } from '../../accounts/events/write-event.ts'
import { findUsers } from '../../accounts/users/find-users.records.ts'
import { buildLeakSteps, type LeakRow } from '../../accounts/users/leak-row.ts'
import { deleteScimToken, findTokenAndConnection } from './tokens.records.ts'

export const scimToken: LeakRow = {
  /** Informs who created the token. It belongs to the connection. */
  end: async (services, context, { subject, hash }) => {
    const { table } = services
    const { token, connection } = await findTokenAndConnection(table, subject, hash)
    if (!token) return
    const [maker] = await findUsers(table, [token.createdBy])
    const target = `scim_token:${token.id}`
    const organization = connection?.organization_id ?? undefined
    const ofOrganization = organization === undefined ? context : { ...context, organization }
    const steps = maker
      ? buildLeakSteps(services, ofOrganization, maker, target)
      : [auditStep(ofOrganization, 'credential.leaked', { target })]
    await deleteScimToken(table, token, steps)
  },
}
