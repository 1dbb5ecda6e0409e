import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import type { Membership } from './memberships.records.ts'

/** Builds the step that stores who became a member, stopped being one, or got other roles. */
export const auditMembership = (
  context: RequestContext,
  event: 'organization.member_added' | 'organization.member_changed' | 'organization.member_removed',
  { userId, organizationId, roles }: Pick<Membership, 'userId' | 'organizationId' | 'roles'>,
) =>
  auditStep({ ...context, organization: organizationId }, event, {
    user: userId,
    target: `${organizationId} ${roles.join(' ')}`,
  })
