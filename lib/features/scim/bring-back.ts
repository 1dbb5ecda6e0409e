import { changeSteps } from '../../accounts/events/change-event.ts'
import { isActive } from '../../accounts/users/account-state.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import { toUserChange } from '../../accounts/users/user-change.ts'
import { editUser } from '../../accounts/users/write-users.records.ts'
import { ConflictError } from '../../kernel/errors/errors.ts'
import { findCompanyAccounts, isCompanyAccountRevoked } from '../connections/accounts.records.ts'
import { auditMembership } from '../organizations/audit-membership.ts'
import {
  beginMembership,
  buildJoinSteps,
  buildNotKeptOutStep,
  isKeptOut,
} from '../organizations/memberships.records.ts'
import type { ScimUserRecord } from '../provisioning/users.records.ts'
import { findOwnerId } from './find-owner.ts'
import type { ScimContext } from './scim-context.ts'

/**
 * Brings back the account and the membership of a person that the directory itself ended, and no credential. Returns false if something here
 * ended the account, which the directory cannot take back.
 */
export const bringBack = async (scim: ScimContext, person: ScimUserRecord): Promise<boolean> => {
  const { services, caller, context } = scim
  const { table, now } = services
  const { identity, end } = person
  const userId = await findOwnerId(scim, person)
  // Whoever never signed in has nothing to come back to.
  if (userId === undefined) return true
  const user = await findUser(table, userId)
  const account =
    user &&
    (await findCompanyAccounts(table, user)).find(
      (one) => one.providerId === caller.connection.id && one.hash === identity,
    )
  if (!user || !account || isCompanyAccountRevoked(account)) return false
  if (end?.hasDisabledUser && !user.is_enabled) {
    const change = { is_enabled: true }
    await editUser(table, user, change, {
      extraSteps: changeSteps(context, 'user.changed', { user: user.id, change: toUserChange(user, change) }),
    })
  } else if (!isActive(user, now())) return false
  const { organization } = caller
  if (!organization) return true
  // An owner keeps them out.
  if (await isKeptOut(table, { userId, organizationId: organization.id })) return false
  if (!end?.roles) return true
  const membership = beginMembership({
    userId,
    organizationId: organization.id,
    roles: end.roles,
    source: 'connection',
    joinedAt: now(),
    rolesGivenBy: null,
    ...(account.isLinkedByAddress && { needsProof: true as const }),
  })
  try {
    await table.transact([
      ...buildJoinSteps(organization, membership),
      buildNotKeptOutStep(membership),
      auditMembership(context, { after: membership }),
    ])
  } catch (error) {
    // Somebody else made them a member already, or the organization is full: then the next sign-in says so.
    if (!(error instanceof ConflictError && joinedOrFull.has(error.kind))) throw error
  }
  return true
}

const joinedOrFull: ReadonlySet<string> = new Set(['already_member', 'member_limit_reached'])
