import type { Step } from '../../kernel/table/transaction.ts'
import type { RequestContext } from '../access/request-context.ts'
import { auditStep } from '../audit/write-event.ts'
import type { Membership, MovedMembership } from './memberships.records.ts'

/** Builds the step that tells an organization of a membership that ends with its user. */
export const buildEndAudit =
  (context: RequestContext) =>
  (ended: Membership): Step =>
    auditMembership(context, 'organization.member_removed', ended)

/** Builds the steps that tell an organization who left it by a merge, and who is in it instead. */
export const buildMoveAudit =
  (context: RequestContext) =>
  ({ before, after, isNew }: MovedMembership): readonly Step[] => [
    auditMembership(context, 'organization.member_removed', before),
    auditMembership(context, isNew ? 'organization.member_added' : 'organization.member_changed', after),
  ]

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
