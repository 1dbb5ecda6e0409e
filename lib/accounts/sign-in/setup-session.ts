import { AppError } from '../../errors/errors.ts'
import type { Principal } from '../common/principal.ts'

/**
 * Whether the session of a caller can only set up a second factor. Turning on an authenticator app lifts this limit:
 * the change ends all other sessions, so the session that is left is the one that made it.
 */
export const isLimitedToSetup = ({ session, user }: Principal): boolean =>
  session?.limitedTo === 'second_factor_setup' && !user.totp

export const createSetupRequiredError = (): AppError =>
  new AppError('permission_denied', {
    reason: 'second_factor_setup_required',
    detail: 'This session can only set up a second factor. Set it up, or sign in again afterwards.',
    tryAgain: null,
  })
