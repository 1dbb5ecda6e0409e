import type { Step } from '../../kernel/table/transaction.ts'
import { identifyDevice } from '../../kernel/util/user-agents.ts'
import type { Services } from '../../services.ts'
import { hasPermission } from '../callers/permissions.ts'
import type { RequestContext } from '../callers/request-context.ts'
import { hasVerifiedEmail, isGuestUser } from '../users/guest-state.records.ts'
import type { UserChanges, UserRecord } from '../users/stored-user.records.ts'
import { parseMailAddress } from './mail-addresses.ts'
import { buildOutboxStep } from './outbox.records.ts'
import {
  type AdministratorChangeKind,
  type OwnerNoticeKind,
  type ownerChanges,
  type SecurityChange,
  unreportableChanges,
} from './security-changes.models.ts'

/**
 * Builds the step that queues the security email about a change, for the transaction that makes the change. `user` is
 * the user before the change, whose address gets the email. Returns no step for a user without a verified address.
 */
export const buildSecurityNoticeStep = (
  { now }: Services,
  context: RequestContext,
  user: UserRecord,
  { kind }: SecurityChange,
): readonly Step[] => {
  const { id: userId, email } = user
  if (email === null || !parseMailAddress(email) || !hasVerifiedEmail(user) || isGuestUser(user)) return []
  const at = now()
  const by = isByOther(context, user) ? 'administrator' : 'user'
  const job = {
    kind: 'security_notice',
    userId,
    change: kind,
    email,
    at,
    by: unreportableChanges.includes(kind) ? 'service' : by,
    device: identifyDevice(context.userAgent),
  } as const
  return [buildOutboxStep(job, context, at)]
}

/** Before a sign-in is complete, the request has no actor. Then the user acts. */
const isByOther = ({ actor }: RequestContext, { id }: UserRecord): boolean => actor !== null && actor !== id

/**
 * Builds the step that queues one job to inform all administrators, for the transaction that makes the change. `name` is
 * the user or the group that the change is about.
 */
export const buildAdministratorNoticeStep = (
  context: RequestContext,
  change: AdministratorChangeKind,
  name: string,
  connection?: { readonly kind: string; readonly id: number },
): Step =>
  buildOutboxStep(
    {
      kind: 'administrators_notice',
      change,
      name,
      ...(connection && { connection: `${connection.kind}/${connection.id}` }),
      at: context.at,
      device: identifyDevice(context.userAgent),
    },
    context,
    context.at,
  )

/** A change of an organization. `name` is the new owner, API token, connection or domain. */
interface OwnerChange {
  readonly change: OwnerNoticeKind
  readonly organizationId: number
  readonly name: string
}

/**
 * Builds the step that queues one job to inform the owners of an organization, for the transaction that makes the change. The caller and
 * `except` are left out.
 */
export const buildOwnersNoticeStep = (
  context: RequestContext,
  change: OwnerChange,
  { members = [], except = [] }: OwnerNoticeOptions = {},
): Step => {
  const { actor, at } = context
  const left = actor === null ? except : [actor, ...except]
  return buildOutboxStep({ kind: 'owners_notice', ...change, members, except: left, at }, context, at)
}

interface OwnerNoticeOptions {
  /** Members with the roles that they got. */
  readonly members?: readonly string[]
  /** The IDs of owners who know about it. */
  readonly except?: readonly number[]
}

/** Builds the same for a change by a member, who gets the link to report it. */
export const buildMemberChangeSteps = (
  services: Services,
  context: RequestContext,
  user: UserRecord,
  change: OwnerChange & { readonly change: (typeof ownerChanges)[number] },
  options: OwnerNoticeOptions = {},
): readonly Step[] => [
  buildOwnersNoticeStep(context, change, options),
  ...buildSecurityNoticeStep(services, context, user, { kind: change.change }),
]

/** Builds the same for a change of how another user signs in. No step if the user is no administrator. */
export const buildSignInSetSteps = async (
  { table }: Services,
  context: RequestContext,
  user: UserRecord,
): Promise<readonly Step[]> =>
  (await hasPermission(table, user, 'system:admin-access'))
    ? [buildAdministratorNoticeStep(context, 'administrator_sign_in_set', user.username)]
    : []

/**
 * Builds the field that ends the links in earlier security emails of a user. An administrator who takes an account over
 * changes its password, email address or state. The former owner must not undo that.
 */
export const buildEndReportsChange = ({ now }: Services): Pick<UserChanges, 'securityReports'> => ({
  securityReports: { endedUntil: now() },
})
