import type { Services } from '../../services.ts'
import { findTokenAndCreator, hasExpired } from '../../store/links/access-tokens.ts'
import type { SessionLink } from '../../store/records/session-record.ts'
import type { UserRecord } from '../../store/records/user-record.ts'

/*
 * A guest is a user that a link has made, and that has nothing but the links it was sent: no login of its own, and no
 * rights. So a link may stand for it, and whoever holds the link gets a session of it. Everybody else who is sent a
 * link has to sign in first, external users too: or a link that was passed on would be as good as a password.
 */

/** Whether a link for this user works only with the user's own login. */
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
 * Whether what a link has opened is still to work: neither the link nor its creator was deleted, it hasn't expired, and
 * who came in as a guest hasn't become somebody whose rights it was never given. One call to the table.
 */
export const isLinkActive = async (
  { table, now }: Services,
  link: SessionLink,
  user: UserRecord,
): Promise<boolean> => {
  if (link.isGuest && needsOwnLogin(user)) return false
  const { token, hasCreator } = await findTokenAndCreator(table, link)
  return token !== undefined && hasCreator && !hasExpired(token, now())
}
