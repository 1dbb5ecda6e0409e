import { auditStep } from '../../accounts/events/write-event.ts'
import { findUsers } from '../../accounts/users/find-users.records.ts'
import { buildLeakSteps, type LeakRow } from '../../accounts/users/leak-row.ts'
import { wasCommitted } from '../../kernel/table/transaction.ts'
import { buildEndInvitationSteps, findOrganizationInvitation } from './invitations.records.ts'
import { readMemberships } from './memberships.records.ts'
import { deleteOrganizationToken, findTokenAndOrganization } from './tokens.records.ts'

export const organizationToken: LeakRow = {
  /** Informs the member who created the token, unless they have left. The token belongs to the organization. */
  end: async (services, context, { subject, hash }) => {
    const { table } = services
    const { token, organization } = await findTokenAndOrganization(table, subject, hash)
    if (!token || !organization) return
    const [membership] = await readMemberships(table, subject, [token.createdBy])
    const [maker] = membership ? await findUsers(table, [token.createdBy]) : []
    const target = `organization_token:${token.id}`
    const ofOrganization = { ...context, organization: subject }
    const steps = maker
      ? buildLeakSteps(services, ofOrganization, maker, target)
      : [auditStep(ofOrganization, 'credential.leaked', { target })]
    await deleteOrganizationToken(table, token, steps)
  },
}

export const organizationInvitation: LeakRow = {
  /** The invited person may have no account, so the audit event informs the administrators. */
  end: async ({ table }, context, { subject, hash }) => {
    const invitation = await findOrganizationInvitation(table, subject)
    if (invitation?.hash !== hash) return
    await wasCommitted(
      table.transact([
        ...buildEndInvitationSteps(invitation),
        auditStep({ ...context, organization: invitation.organizationId }, 'credential.leaked', {
          target: `organization_invitation:${invitation.id}`,
        }),
      ]),
    )
  },
}
