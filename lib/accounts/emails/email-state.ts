import { isGuestUser } from '../../store/directory/guest-state.ts'
import type { UserChanges, UserRecord } from '../../store/directory/user-record.ts'
import { hasAdminAccess } from '../common/permissions.ts'
import type { CallerRights } from '../directory/account-rights.ts'

/** Administrators vouch for the addresses of users whom they create. All other addresses wait for a confirmation. */
export const vouchesForAddresses = ({ permissions }: CallerRights): boolean => hasAdminAccess(permissions)

/** A changed address of an API token would let its thief reset the password of the account. */
export const vouchesForChanges = (rights: CallerRights): boolean =>
  vouchesForAddresses(rights) && !rights.isApiToken

/** The state of a new address. */
export const buildEmailState = (isVerified: boolean): Pick<UserChanges, 'emailVerified'> => ({
  emailVerified: isVerified ? undefined : false,
})

/**
 * The state of an address after an edit. An address that stays the same keeps its state, also if an administrator sends
 * it again: pages send all fields of a user back. A guest who becomes an account did not prove the address of the guest.
 */
export const buildEmailStateChange = (
  user: UserRecord,
  changes: UserChanges,
  isVerified: boolean,
): UserChanges => {
  const isNew = changes.normalizedEmail !== undefined
  const isPromoted = isGuestUser(user) && !isGuestUser({ ...user, ...changes })
  if (!isNew && !isPromoted) return {}
  const email = changes.email === undefined ? user.email : changes.email
  return {
    ...buildEmailState(isVerified || email === null),
    isEmailFromProvider: undefined,
    pendingEmail: undefined,
    emailConfirmation: undefined,
  }
}
