import { randomBytes } from 'node:crypto'
import type { Services } from '../../services.ts'
import { findTokenAndCreator, hasExpired } from '../../store/links/access-tokens.ts'
import type { NewUser, UserRecord } from '../../store/records/user-record.ts'
import type { SessionLink } from '../../store/sign-in/sessions.ts'
import { usernameFault } from '../common/names.ts'
import { newUser } from '../directory/new-user.ts'

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
 * A guest to be made: for an address, by which it is named unless that name is taken, or for one link and nobody in
 * particular, as long as that link works.
 */
export const newGuest = (
  given: { readonly email: string; readonly isNameTaken: boolean } | { readonly expiresAt: number | null },
): NewUser => {
  const guest = { isExternal: true, isGuest: true } as const
  const madeUp = `guest-${randomBytes(9).toString('hex')}`
  if (!('email' in given)) return newUser({ ...guest, username: madeUp, expiresAt: given.expiresAt })
  const { email, isNameTaken } = given
  const isName = !isNameTaken && usernameFault(email) === undefined
  return newUser({ ...guest, username: isName ? email : madeUp, email })
}

/** Whether a nameless guest is still nothing else, so that it goes with its link. */
export const isStillNobody = (user: UserRecord): boolean => !needsOwnLogin(user) && user.email === null

/**
 * Whether what a link has opened is still to work: neither the link nor its creator was deleted, it hasn't expired, and
 * who came in as a guest hasn't become somebody whose rights it was never given. One call to the table.
 */
export const isLinkAlive = async (
  { table, now }: Services,
  link: SessionLink,
  user: UserRecord,
): Promise<boolean> => {
  if (link.asGuest && needsOwnLogin(user)) return false
  const { token, hasCreator } = await findTokenAndCreator(table, link)
  return token !== undefined && hasCreator && !hasExpired(token, now())
}
