import { isGuestUser } from '../../accounts/users/guest-state.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { AppError } from '../../kernel/errors/errors.ts'

/**
 * Whether a user may have passkeys. Guests have nothing to sign in with. Users who only sign in through an identity
 * provider must not get another way to sign in, which would still work after the provider blocks them.
 */
export const canHavePasskeys = (user: UserRecord): boolean =>
  !isGuestUser(user) && (user.passwordHash !== null || user.allow_changing_password)

/** @throws AppError `permission_denied` */
export const requireRightToPasskeys = (user: UserRecord): void => {
  if (!canHavePasskeys(user))
    throw new AppError('permission_denied', {
      detail: 'This account signs in through an identity provider and cannot have passkeys.',
    })
}
