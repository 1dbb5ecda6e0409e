import { withRestingRights } from './resting-rights.records.ts'
import type { UserRecord } from './stored-user.records.ts'

/**
 * Whether a user is a guest: created by an access link, and without rights since. A guest has nothing to sign in with.
 * A guest who was given rights is an account like any other.
 */
export const isGuestUser = (
  user: Pick<UserRecord, 'isGuest' | 'is_external' | 'permissions' | 'groups' | 'restingRights'>,
): boolean => {
  const { isGuest, is_external: isExternal, permissions, groups } = withRestingRights(user)
  return isGuest === true && isExternal && permissions.length === 0 && groups.length === 0
}

/** Whether a user proved, or an administrator vouched, that the email address of the user is theirs. */
export const hasVerifiedEmail = (
  user: Pick<UserRecord, 'email' | 'emailVerified'>,
): user is { email: string; emailVerified?: undefined } => user.email !== null && user.emailVerified !== false
