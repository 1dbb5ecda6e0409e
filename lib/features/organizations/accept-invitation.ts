import { isDecisionNamed } from '../../accounts/callers/decisions.ts'
import type { Principal } from '../../accounts/callers/principal.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { buildOwnersNoticeStep } from '../../accounts/outbox/security-notices.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import { auditInvitation, type InvitationProof } from './audit-invitation.ts'
import { auditMembership } from './audit-membership.ts'
import { toOwnBody } from './body.ts'
import { requireEffectiveRoles } from './effective-roles.ts'
import { buildEndInvitationSteps, type OrganizationInvitationRecord } from './invitations.records.ts'
import { type OpenOrganizationInvitation, toJoinDecision } from './join.ts'
import {
  beginMembership,
  buildJoinSteps,
  buildUnchangedMembershipStep,
  changeRoles,
  findMembership,
  type Membership,
  ownerRole,
} from './memberships.records.ts'
import type { OwnOrganization } from './models.ts'
import { buildGivenRolesSteps, makesOwner } from './owner-notices.ts'
import { buildUnchangedOrganizationStep } from './records.ts'
import { findSignInUrl } from './sign-in-rules.ts'

interface ShownInvitation {
  readonly principal: Principal
  /** Reads the invitation, again for each attempt after a conflict. It throws unless the person may accept it. */
  readonly find: (attempt: number) => Promise<OpenOrganizationInvitation>
  /** Names what the person saw before they accepted. */
  readonly shown: string
  /** How the person showed that they read the mailbox of the invited address, and what uses this proof up. */
  readonly proof: InvitationProof
  readonly proofSteps: readonly Step[]
}

/**
 * Makes the caller a member. The end of the invitation and of its proof, the membership and the counts are one transaction, so an
 * invitation makes one member. It fails if the organization, or the role of the inviter, changes at the same time.
 */
export const acceptInvitation = (
  services: Services,
  context: RequestContext,
  { principal, find, shown, proof, proofSteps }: ShownInvitation,
): Promise<OwnOrganization> =>
  retryConflicts(async (attempt) => {
    const found = await find(attempt)
    const { user } = principal
    const { invitation, organization, inviterMembership, declaredRoles } = found
    if (!isDecisionNamed(toJoinDecision(found), shown))
      throw new AppError('conflict', {
        reason: 'decision_changed',
        detail: 'The invitation has changed since it was shown. Read it again.',
      })
    const extraSteps = [
      ...proofSteps,
      ...buildEndInvitationSteps(invitation),
      ...(inviterMembership && inviterMembership.userId !== user.id
        ? [buildUnchangedMembershipStep(inviterMembership)]
        : []),
      auditInvitation(context, 'organization.invitation_accepted', invitation, { user: user.id, proof }),
    ]
    const known = await findMembership(services.table, { userId: user.id, organizationId: organization.id })
    const membership = isWaitingOwner(known, invitation)
      ? await makeOwner(services, context, { user, known, found, extraSteps })
      : await join(services, context, { user, found, extraSteps })
    const signInUrl = findSignInUrl(services, principal, { organization, membership })
    return toOwnBody(principal, { organization, membership, declaredRoles, signInUrl })
  }, 'The organization kept changing. Try again.')

interface Acceptance {
  readonly user: UserRecord
  readonly found: OpenOrganizationInvitation
  readonly extraSteps: readonly Step[]
}

const join = async (
  { table, now }: Services,
  context: RequestContext,
  { user, found: { invitation, organization }, extraSteps }: Acceptance,
): Promise<Membership> => {
  const membership = beginMembership({
    userId: user.id,
    organizationId: organization.id,
    roles: invitation.roles,
    source: 'invitation',
    joinedAt: now(),
    rolesGivenBy: invitation.invitedBy,
  })
  requireEffectiveRoles(user, membership)
  await table.transact([
    ...buildJoinSteps(organization, membership),
    auditMembership(context, { after: membership }),
    ...buildGivingSteps(context, [], membership, { user, nowMs: now() }),
    ...extraSteps,
  ])
  return membership
}

/** Notes who gave roles to a member, and informs the owners of a new one. */
const buildGivingSteps = (
  context: RequestContext,
  before: readonly string[],
  membership: Pick<Membership, 'userId' | 'organizationId' | 'roles' | 'rolesGivenBy'>,
  { user, nowMs }: { readonly user: UserRecord; readonly nowMs: number },
): readonly Step[] => [
  ...buildGivenRolesSteps(membership, nowMs),
  ...(makesOwner(before, membership.roles)
    ? [
        buildOwnersNoticeStep(context, {
          change: 'organization_owner_added',
          organizationId: membership.organizationId,
          name: user.username,
        }),
      ]
    : []),
]

/** Who is invited as an owner, and joined by the company sign-in first, which makes no owners. */
const isWaitingOwner = (
  known: Membership | undefined,
  { roles }: OrganizationInvitationRecord,
): known is Membership => known?.source === 'connection' && roles.includes(ownerRole)

const makeOwner = (
  { table, now }: Services,
  context: RequestContext,
  {
    user,
    known,
    found: { invitation, organization },
    extraSteps,
  }: Acceptance & { readonly known: Membership },
): Promise<Membership> => {
  const roles = [...new Set([...known.roles, ...invitation.roles])]
  // The link proved the mailbox in a session of the account, so the membership counts in all of its sessions.
  const { needsProof: _, ...proven } = known
  const given = { roles, rolesGivenBy: invitation.invitedBy }
  return changeRoles(table, proven, given, {
    keepsOwner: true,
    extraSteps: [
      buildUnchangedOrganizationStep(organization),
      auditMembership(context, { before: known, after: { ...proven, roles } }),
      ...buildGivingSteps(context, known.roles, { ...known, ...given }, { user, nowMs: now() }),
      ...extraSteps,
    ],
  })
}
