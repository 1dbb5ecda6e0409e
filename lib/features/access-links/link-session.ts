import { isSessionActive } from '../../accounts/sessions/session-rules.ts'
import type { SessionLink } from '../../accounts/sessions/stored-session.records.ts'
import { isGuestUser } from '../../accounts/users/guest-state.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { Services } from '../../services.ts'
import type { AccessLinkRecord } from './link.records.ts'
import { findLinkOrigin, hasExpired } from './records.ts'
import { canShare } from './sharing-rights.ts'

/**
 * Whether a link for this user requires the user to sign in. Only a guest has nothing to sign in with and no rights, so
 * for a guest the link is enough. For all other users, external ones too, a link that is passed on must not be as good
 * as their password.
 */
export const needsOwnLogin = (
  user: Pick<UserRecord, 'isGuest' | 'is_external' | 'permissions' | 'groups'>,
): boolean => !isGuestUser(user)

/**
 * Returns the link of a session that may still be used, in one table call, or two if the groups of the creator decide.
 * The link must not be deleted or expired, and its creator must still be allowed to create links, also in its organization. A guest must not have
 * become a user with rights that the link never gave them. For other recipients, their own session must be active.
 *
 * @param ticketSession the hash of the session of the link, for one of its tickets: it must be active, too
 */
export const findLinkOfSession = async (
  services: Services,
  origin: SessionLink,
  user: UserRecord,
  ticketSession?: string,
): Promise<AccessLinkRecord | undefined> => {
  if (origin.isGuest ? needsOwnLogin(user) : origin.ownSession === undefined) return undefined
  const hashes = [origin.ownSession, ticketSession].filter((hash) => hash !== undefined)
  const { link, creator, sessions, parts } = await findLinkOrigin(services.table, origin, user.id, hashes)
  const now = services.now()
  if (!link || link.organization !== origin.organization || hasExpired(link, now)) return undefined
  if (!sessions.every((session) => session && isSessionActive(services, session, user))) return undefined
  return (await canShare(services, creator, parts, link)) ? link : undefined
}

/** The user as a session of a link acts for them: without their permissions and groups. */
export const withLinkScope = (user: UserRecord): UserRecord => ({ ...user, permissions: [], groups: [] })
