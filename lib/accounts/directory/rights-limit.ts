import { reportClockToleranceMs } from '../../limits/limits.ts'
import type { Services } from '../../services.ts'
import { findGroups } from '../../store/directory/groups.ts'
import type { RightsLimit, UserChanges, UserRecord } from '../../store/directory/user-record.ts'
import type { Table } from '../../store/engine/table.ts'
import { buildRevokeCredentialsChange } from '../../store/sign-in/revoked-credentials.ts'
import { buildEndReportsChange } from '../common/notices.ts'
import { allowsPermission, grants } from '../common/permissions.ts'
import { type CallerRights, isUnlimited } from './account-rights.ts'

/*
 * Someone who sets the password or the address of another account, or invites it, may be able to sign in as it, and can
 * add other credentials then. So the account must not use a permission that they lack. Its record holds what they held:
 *
 * - A permission of a group beyond that has no effect. Groups and their members change without writes of all accounts.
 * - When a holder of such a permission gives it to the account itself, or sets its password or address, the account
 *   starts anew: all that the person who lacks it could know ends in the same transaction, and so does the limit.
 */

/** What one transaction must be able to write, and every request of the user reads. */
const maxPermissions = 500

/** The limit of an account after a caller with these rights decided how its user signs in. */
export const limitRights = (
  limit: RightsLimit | undefined,
  rights: CallerRights,
  { nowMs, setsEmail }: { readonly nowMs: number; readonly setsEmail: boolean },
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
    since: limit?.since ?? nowMs,
  }
}

/** Whether an account has permissions beyond its limit. Makes a table call only for a limited user with groups. */
export const exceedsLimit = async (
  table: Table,
  { rightsLimit, permissions, groups }: Pick<UserRecord, 'rightsLimit' | 'permissions' | 'groups'>,
): Promise<boolean> => {
  if (!rightsLimit) return false
  const found = await findGroups(table, groups)
  return [...permissions, ...found.flatMap((group) => group.permissions)].some(
    (permission) => !allowsPermission(rightsLimit, permission),
  )
}

/** Without a password, even users who may not change it have to choose one. */
const buildPasswordEnd = ({ allowChangingPassword }: UserRecord): UserChanges => ({
  passwordHash: null,
  ...(allowChangingPassword ? {} : { passwordChangeRequired: true }),
})

/**
 * The changes by which a limited account starts anew. Its sessions have to end with them. Passkeys, API tokens and linked
 * accounts end by the period, and their items are deleted afterwards: see `removeRevokedCredentials`.
 */
export const buildNewStart = (services: Services, user: UserRecord, limit: RightsLimit): UserChanges => {
  // The clocks of two servers differ a little.
  const from = limit.since - reportClockToleranceMs
  const isSince = (at: number | undefined): boolean => at !== undefined && at >= from
  return {
    rightsLimit: undefined,
    ...(isSince(user.passwordChangedAt) ? buildPasswordEnd(user) : {}),
    ...(isSince(user.totp?.enabledAt) ? { totp: null } : {}),
    ...(limit.hasSetEmail && user.email !== null ? { emailVerified: false } : {}),
    ...{ isEmailFromProvider: undefined, pendingEmail: undefined, emailConfirmation: undefined },
    ...buildRevokeCredentialsChange(user, { from, to: services.now() }),
    ...buildEndReportsChange(services),
  }
}
