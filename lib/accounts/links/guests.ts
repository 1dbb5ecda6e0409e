import { randomBytes } from 'node:crypto'
import type { NewUser, UserRecord } from '../../store/records/user-record.ts'
import { validateUsername } from '../common/names.ts'
import { buildUser } from '../directory/new-user.ts'
import { needsOwnLogin } from '../sign-in/link-session.ts'

/*
 * A guest is a user who was created for a link: without anything to sign in with, and without rights. A person who has
 * the link gets a session of the guest. See `needsOwnLogin` for all other recipients.
 */

type GuestRecipient =
  | { readonly email: string; readonly isNameTaken: boolean }
  /** An anonymous guest, who expires with the link. */
  | { readonly expiresAt: number | null }

/** Builds a guest. The email address becomes the username, unless it is taken or not valid as one. */
export const buildGuest = (recipient: GuestRecipient): NewUser => {
  const guest = { isExternal: true, isGuest: true } as const
  const randomName = `guest-${randomBytes(9).toString('hex')}`
  if (!('email' in recipient))
    return buildUser({ ...guest, username: randomName, expiresAt: recipient.expiresAt })
  const { email, isNameTaken } = recipient
  const isUsable = !isNameTaken && validateUsername(email) === undefined
  return buildUser({ ...guest, username: isUsable ? email : randomName, email })
}

/** Whether an anonymous guest never became a full user. Such a guest is deleted with the link. */
export const isUnclaimedGuest = (user: UserRecord): boolean => !needsOwnLogin(user) && user.email === null
