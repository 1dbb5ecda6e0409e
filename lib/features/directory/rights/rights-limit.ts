import { adminAccess, allowsPermission, grants } from '../../../accounts/callers/permissions.ts'
import type { RequestContext } from '../../../accounts/callers/request-context.ts'
import { auditStep } from '../../../accounts/events/write-event.ts'
import { findGroups } from '../../../accounts/groups/groups.records.ts'
import { buildEmailState } from '../../../accounts/names/email-confirmations.ts'
import { buildOutboxStep } from '../../../accounts/outbox/outbox.records.ts'
import { buildEndReportsChange, buildSecurityNoticeStep } from '../../../accounts/outbox/security-notices.ts'
import { buildRevokeCredentialsChange } from '../../../accounts/users/revoked-credentials.records.ts'
import type {
  RevokedPeriod,
  RightsLimit,
  UserChanges,
  UserRecord,
} from '../../../accounts/users/stored-user.records.ts'
import type { ServiceUserDetail } from '../../../accounts/users/users.models.ts'
import { conflict } from '../../../kernel/errors/errors.ts'
import { reportClockToleranceMs } from '../../../kernel/limits/limits.ts'
import type { Table } from '../../../kernel/table/table.ts'
import type { Step } from '../../../kernel/table/transaction.ts'
import type { Services } from '../../../services.ts'
import { hasRolePermissions } from '../../organizations/role-control.ts'
import { rolePermission } from '../../organizations/roles.ts'
import { canResetPassword } from '../../passwords/reset-tokens.ts'
import { requireChangeableAddress } from '../../sign-in/required-sign-in.ts'
import { type CallerRights, isUnlimited } from './account-rights.ts'

/*
 * Someone who decides how another account signs in may be able to sign in as it, and can add other credentials then. They
 * decide by a password, an address, an invitation, or an account at an identity provider. So the account must not use a
 * permission that they lack. Operations that decide declare it: see `decidesSignIn`. The record of the account holds what
 * the deciders held:
 *
 * - A permission of a group beyond that has no effect. Groups and their members change without writes of all accounts.
 * - When a holder of such a permission gives it to the account itself, or sets its password or address, the account
 *   starts anew: all that the person who lacks it could know ends in the same transaction, and so does the limit.
 * - Roles that a user got with an invitation of an organization, or in one that they created, count if the deciders did no more than
 *   name an address: then nobody else knows a way in, and the organization sent its invitation to that address itself. See
 *   `organizations/effective-roles.ts`.
 */

/** What one transaction must be able to write, and every request of the user reads. */
const maxPermissions = 500

/**
 * What a company connection holds whose word alone leads to an account: by an address, or because it created the account. It
 * lacks the privileged permissions.
 */
export const connectionRights: CallerRights = { permissions: [adminAccess], isApiToken: true }

/** The limit of an account after a caller with these rights decided how its user signs in. */
export const limitRights = (
  limit: RightsLimit | undefined,
  rights: CallerRights,
  {
    nowMs,
    setsEmail,
    isMailedOnly = false,
  }: { readonly nowMs: number; readonly setsEmail: boolean; readonly isMailedOnly?: boolean },
): RightsLimit | undefined => {
  if (isUnlimited(rights)) return limit
  const earlier = limit?.permissions ?? rights.permissions
  const common = [...new Set([...earlier, ...rights.permissions])].filter(
    (permission) => grants(earlier, permission) && grants(rights.permissions, permission),
  )
  return {
    permissions: common.sort().slice(0, maxPermissions),
    ...(rights.isApiToken || limit?.isApiToken ? { isApiToken: true } : {}),
    ...(setsEmail || limit?.hasSetEmail ? { hasSetEmail: true } : {}),
    ...(isMailedOnly && (limit?.isMailedOnly ?? true) ? { isMailedOnly } : {}),
    since: limit?.since ?? nowMs,
  }
}

/** Whether an account has permissions or roles beyond its limit. Makes table calls only for a limited user. */
export const exceedsLimit = async (
  table: Table,
  { id, rightsLimit, permissions, groups }: Pick<UserRecord, 'id' | 'rightsLimit' | 'permissions' | 'groups'>,
): Promise<boolean> => {
  if (!rightsLimit) return false
  const found = await findGroups(table, groups)
  const isBeyond = (permission: string) => !allowsPermission(rightsLimit, permission)
  return (
    [...permissions, ...found.flatMap((group) => group.permissions)].some(isBeyond) ||
    (isBeyond(rolePermission) && (await hasRolePermissions(table, id)))
  )
}

/** The limit of an account that is made of two. */
export const mergeLimits = (
  one: RightsLimit | undefined,
  two: RightsLimit | undefined,
): RightsLimit | undefined => {
  if (!one || !two) return one ?? two
  const { permissions, isApiToken = false, hasSetEmail: setsEmail = false, isMailedOnly = false, since } = two
  const decision = { nowMs: since, setsEmail, isMailedOnly }
  const merged = limitRights(one, { permissions, isApiToken }, decision)
  return merged && { ...merged, since: Math.min(one.since, since) }
}

/** Without a password, even users who may not change it have to choose one. */
const buildPasswordEnd = ({ allow_changing_password: allowChangingPassword }: UserRecord): UserChanges => ({
  passwordHash: null,
  ...(allowChangingPassword ? {} : { password_change_required: true }),
})

/** When the deciders of a limited account could add credentials. The clocks of two servers differ a little. */
export const getLimitedPeriod = ({ now }: Services, { since }: RightsLimit): RevokedPeriod => ({
  from: since - reportClockToleranceMs,
  to: now(),
})

/**
 * The changes by which a limited account starts anew. Its sessions have to end with them. Passkeys, API tokens and linked
 * accounts end by the period, and their items are deleted afterwards: see `removeRevokedCredentials`.
 */
export const buildNewStart = (services: Services, user: UserRecord, limit: RightsLimit): UserChanges => {
  const period = getLimitedPeriod(services, limit)
  const isSince = (at: number | undefined): boolean => at !== undefined && at >= period.from
  return {
    rightsLimit: undefined,
    ...(user.passwordHash === null || isSince(user.passwordChangedAt) ? buildPasswordEnd(user) : {}),
    ...(isSince(user.totp?.enabledAt) ? { totp: null } : {}),
    ...(limit.hasSetEmail && user.email !== null ? buildEmailState(undefined) : {}),
    isEmailFromProvider: undefined,
    pendingEmail: undefined,
    emailConfirmation: undefined,
    ...buildRevokeCredentialsChange(user, period),
    ...buildEndReportsChange(services),
  }
}

/**
 * The changes by which every way to sign in to an account ends, however old it is. Its sessions have to end with them. What is added after
 * the period works.
 */
export const buildEndOfWays = (
  services: Services,
  user: UserRecord,
): { readonly changes: UserChanges; readonly period: RevokedPeriod } => {
  const { revokedCredentials: period } = buildRevokeCredentialsChange(user, { from: 0, to: services.now() })
  const newStart = buildNewStart(services, user, { permissions: [], since: 0 })
  return {
    changes: { ...newStart, ...buildPasswordEnd(user), totp: null, revokedCredentials: period },
    period,
  }
}

/** Informs the user, who gets a link to choose a new password if their address is not in question. */
export const buildNewStartSteps = (
  services: Services,
  context: RequestContext,
  user: UserRecord,
  fields: UserChanges,
): readonly Step[] => [
  auditStep(context, 'user.started_anew', { user: user.id }),
  ...buildSecurityNoticeStep(services, context, user, { kind: 'sign_in_ended' }),
  ...(fields.passwordHash === null && canResetPassword({ ...user, ...fields }, services.now())
    ? [buildOutboxStep({ kind: 'password_reset', userId: user.id }, context, services.now())]
    : []),
]

/** The limit as those who manage users see it. */
export const describeRightsLimit = ({
  rightsLimit,
}: Pick<UserRecord, 'rightsLimit'>): Pick<ServiceUserDetail, 'rights_limit'> =>
  rightsLimit
    ? {
        rights_limit: {
          permissions: [...rightsLimit.permissions],
          excludes_privileged: rightsLimit.isApiToken === true,
        },
      }
    : {}

export interface SignInDecision {
  readonly changes: UserChanges
  /** Whether the account starts anew. Its sessions have to end, and its revoked credentials are to be removed. */
  readonly isNewStart: boolean
}

const noSignIn = 'This is a service account. Nobody can sign in to it.'

/** Whether roles in organizations, which would not count before, can be given to the account after a decision of somebody who may give them. */
const opensRoles = (limit: RightsLimit, rights: CallerRights): boolean =>
  !limit.isMailedOnly && !allowsPermission(limit, rolePermission) && allowsPermission(rights, rolePermission)

/** What changes with an account for which someone sets a password, or links an account at an identity provider. */
export const buildSignInDecision = async (
  services: Services,
  user: UserRecord,
  rights: CallerRights,
): Promise<SignInDecision> => {
  if (user.isProgram) throw conflict(noSignIn)
  const limit = user.rightsLimit
  const isNewStart =
    limit !== undefined && (opensRoles(limit, rights) || (await exceedsLimit(services.table, user)))
  const setAt = { nowMs: services.now(), setsEmail: false }
  const newStart = isNewStart ? buildNewStart(services, user, limit) : {}
  await requireChangeableAddress(services, user, newStart, rights)
  return {
    changes: {
      ...newStart,
      rightsLimit: limitRights(isNewStart ? undefined : limit, rights, setAt),
    },
    isNewStart,
  }
}
