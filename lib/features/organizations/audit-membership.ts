import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { describeFacts } from '../../accounts/events/change-event.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import type { AuditedFields } from '../../kernel/contract/field-changes.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { Membership } from './memberships.records.ts'

type Member = Pick<Membership, 'userId' | 'organizationId' | 'roles'> & {
  readonly needsProof?: true | undefined
}

/** What was, and what is from now on. One of both is missing for somebody who joins or leaves. */
type MembershipChange =
  | { readonly before: Member; readonly after?: undefined }
  | { readonly before?: Member | undefined; readonly after: Member }

const fields: AuditedFields = {
  roles: { inEvents: 'value', seenBy: ['org:members:view'] },
  needs_proof: { inEvents: 'value', seenBy: ['org:members:view'] },
}

/** Builds the step that stores who became a member, stopped being one, or got other roles. */
export const auditMembership = (context: RequestContext, { before, after }: MembershipChange): Step => {
  const { userId, organizationId, roles } = after ?? before
  const kind = before && after ? 'changed' : after ? 'added' : 'removed'
  return auditStep({ ...context, organization: organizationId }, `organization.member_${kind}`, {
    user: userId,
    target: `${organizationId} ${roles.join(' ')}`,
    ...describeFacts({ fields, before: show(before), after: show(after) }),
  })
}

/** A membership as events and conditions of changes see it. */
export const describeMember = (member: Member) => ({ comparable: Object.keys(fields), before: show(member) })

const show = (member: Member | undefined) => ({
  roles: member?.roles ?? [],
  ...(member && { needs_proof: member.needsProof ?? false }),
})
