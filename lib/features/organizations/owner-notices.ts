import type { RequestContext } from '../../accounts/callers/request-context.ts'
import type { ownerChanges } from '../../accounts/outbox/security-changes.models.ts'
import { buildMemberChangeSteps, buildOwnersNoticeStep } from '../../accounts/outbox/security-notices.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import { buildMadeStep } from '../leaked-credentials/made.records.ts'
import type { OrganizationAccess } from './access.ts'
import { type Membership, ownerRole } from './memberships.records.ts'

interface Change {
  readonly change: (typeof ownerChanges)[number]
  /** The name of what is new. */
  readonly name: string
  /** The ID of a new owner, who gets no email about themselves. */
  readonly owner?: number
}

/** Builds the steps that inform the owners of a change. A member who made it gets the link to report it. */
export const buildChangeSteps = (
  services: Services,
  context: RequestContext,
  {
    organization,
    membership,
    isForService,
  }: Pick<OrganizationAccess, 'organization' | 'membership' | 'isForService'>,
  user: UserRecord | undefined,
  { owner, ...change }: Change,
): readonly Step[] => {
  const ofOrganization = { ...change, organizationId: organization.id }
  const options = owner === undefined ? {} : { except: [owner] }
  return user && membership && !isForService
    ? buildMemberChangeSteps(services, context, user, ofOrganization, options)
    : [buildOwnersNoticeStep(context, ofOrganization, options)]
}

/** Builds the step that notes who gave roles, so that the other owners see them after a report. */
export const buildGivenRolesSteps = (
  {
    userId,
    organizationId,
    roles,
    rolesGivenBy,
  }: Pick<Membership, 'userId' | 'organizationId' | 'roles' | 'rolesGivenBy'>,
  nowMs: number,
): readonly Step[] =>
  rolesGivenBy === null || rolesGivenBy === userId
    ? []
    : [buildMadeStep(rolesGivenBy, { kind: 'membership', organizationId, memberId: userId, roles }, nowMs)]

/** Whether a change of roles makes an owner. */
export const makesOwner = (before: readonly string[], after: readonly string[]): boolean =>
  after.includes(ownerRole) && !before.includes(ownerRole)
