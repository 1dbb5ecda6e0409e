import { adminAccess, selectGroupPermissions } from '../../accounts/callers/permissions.ts'
import type { Principal } from '../../accounts/callers/principal.ts'
import { findGroups } from '../../accounts/groups/groups.records.ts'
import { hasPasskeys } from '../../accounts/users/account-state.ts'
import { withRestingRights } from '../../accounts/users/resting-rights.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import type { Table } from '../../kernel/table/table.ts'

/**
 * Explains a refusal for lack of a permission to a caller who has permissions that rest: what they lack is a second factor, or a newer
 * sign-in. Undefined if nothing rests. Reads the groups of the user, so it is asked only after a refusal.
 */
export const explainRefusal = async (table: Table, { user }: Principal): Promise<AppError | undefined> => {
  const { restingRights: resting } = user
  if (!resting) return undefined
  const held = withRestingRights(user)
  const fromGroups = selectGroupPermissions(held, await findGroups(table, held.groups))
  const present = fromGroups.filter((permission) => !resting.fromGroups.includes(permission))
  const lost = [
    ...resting.permissions,
    ...fromGroups.filter((permission) => !present.includes(permission)),
    ...(resting.groups.length > 0 ? fromGroups : []),
  ]
  if (lost.length === 0) return undefined
  // The session of somebody who is an administrator by themselves would have ended.
  if (resting.isSessionTooOld && lost.every((permission) => permission === adminAccess))
    return new AppError('not_authenticated', {
      reason: 'credential_expired',
      headers: { 'www-authenticate': 'Bearer' },
    })
  return new AppError('permission_denied', {
    reason: 'second_factor_required',
    detail: `Permissions of this account rest in this session, because it was opened without a second factor: ${[...new Set(lost)].sort().join(', ')}. ${describeWay(user)}`,
    tryAgain: null,
  })
}

const describeWay = (user: Pick<UserRecord, 'totp' | 'passkeys'>): string => {
  if (hasPasskeys(user))
    return 'Confirm your identity with `reauthenticate_with_passkey`, or sign in with your passkey.'
  if (user.totp) return 'Confirm your identity with a code of your authenticator app, or sign in again.'
  return 'Set up a passkey or an authenticator app, then sign in with it.'
}
