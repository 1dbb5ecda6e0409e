import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { OrganizationInvitationRecord } from './invitations.records.ts'

/** Builds the step that stores what happened to an invitation. */
export const auditInvitation = (
  context: RequestContext,
  event:
    | 'organization.invited'
    | 'organization.invitation_resent'
    | 'organization.invitation_revoked'
    | 'organization.invitation_accepted'
    | 'organization.invitation_declined',
  { id, organizationId, roles }: OrganizationInvitationRecord,
  user?: number,
): Step =>
  auditStep({ ...context, organization: organizationId }, event, {
    ...(user === undefined ? {} : { user }),
    target: `${organizationId} ${id} ${roles.join(' ')}`,
  })
