import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { describeFacts } from '../../accounts/events/change-event.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import type { AuditedFields } from '../../kernel/contract/field-changes.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { OrganizationInvitationRecord } from './invitations.records.ts'

/** How a person showed that they read the mailbox of the invited address. */
export type InvitationProof = 'link' | 'code' | 'company_sign_in'

interface Answer {
  /** The invited person. */
  readonly user?: number
  /** Missing unless they accepted. */
  readonly proof?: InvitationProof
}

const fields: AuditedFields = { proof: { inEvents: 'value', seenBy: ['org:members:view'] } }

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
  { user, proof }: Answer = {},
): Step =>
  auditStep({ ...context, organization: organizationId }, event, {
    ...(user === undefined ? {} : { user }),
    target: `${organizationId} ${id} ${roles.join(' ')}`,
    ...(proof && describeFacts({ fields, before: { proof: null }, after: { proof } })),
  })
