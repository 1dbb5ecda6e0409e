import { randomBytes } from 'node:crypto'
import type { NewUser, UserRecord } from '../../store/records/user-record.ts'
import { validateUsername } from '../common/names.ts'
import { buildUser } from '../directory/new-user.ts'
import { needsOwnLogin } from '../sign-in/link-session.ts'

/*
 * A guest is a user that a link has made, and that has nothing but the links it was sent: no login of its own, and no
 * rights. So a link may stand for it, and whoever holds the link gets a session of it. Everybody else who is sent a
 * link has to sign in first, external users too: or a link that was passed on would be as good as a password.
 */
/**
 * A guest to be made: for an address, by which it is named unless that name is taken, or for one link and nobody in
 * particular, as long as that link works.
 */
export const buildGuest = (
  given: { readonly email: string; readonly isNameTaken: boolean } | { readonly expiresAt: number | null },
): NewUser => {
  const guest = { isExternal: true, isGuest: true } as const
  const madeUp = `guest-${randomBytes(9).toString('hex')}`
  if (!('email' in given)) return buildUser({ ...guest, username: madeUp, expiresAt: given.expiresAt })
  const { email, isNameTaken } = given
  const isName = !isNameTaken && validateUsername(email) === undefined
  return buildUser({ ...guest, username: isName ? email : madeUp, email })
}

/** Whether a nameless guest is still nothing else, so that it goes with its link. */
export const isUnclaimedGuest = (user: UserRecord): boolean => !needsOwnLogin(user) && user.email === null
