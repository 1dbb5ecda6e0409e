import type { Services } from '../../services.ts'
import { findTokenAndCreator, hasExpired } from '../../store/links/access-tokens.ts'
import type { SessionLink } from '../../store/records/session-record.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import { canShare } from '../common/sharing-rights.ts'

/**
 * Whether a link for this user requires the user to sign in. Only a guest has nothing to sign in with and no rights, so
 * for a guest the link is enough. For all other users, external ones too, a link that is passed on must not be as good
 * as their password.
 */
export const needsOwnLogin = (
  user: Pick<UserRecord, 'isGuest' | 'isExternal' | 'passwordHash' | 'totp' | 'permissions' | 'groups'>,
): boolean =>
  !user.isGuest ||
  !user.isExternal ||
  user.passwordHash !== null ||
  Boolean(user.totp) ||
  user.permissions.length > 0 ||
  user.groups.length > 0

/**
 * Whether a session that a link opened may still be used, in one table call, or two if the groups of the creator decide.
 * The link must not be deleted or expired, and its creator must still be allowed to create links. A guest must not have
 * become a user with rights that the link never gave them.
 */
export const isLinkActive = async (
  services: Services,
  link: SessionLink,
  user: UserRecord,
): Promise<boolean> => {
  if (link.isGuest && needsOwnLogin(user)) return false
  const { token, creator } = await findTokenAndCreator(services.table, link)
  return token !== undefined && !hasExpired(token, services.now()) && canShare(services, creator)
}
