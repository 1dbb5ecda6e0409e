import { randomBytes } from 'node:crypto'
import { noEmailState } from '../../accounts/names/email-confirmations.ts'
import { isGuestUser } from '../../accounts/users/guest-state.records.ts'
import { buildUser } from '../../accounts/users/new-user.ts'
import type { NewUser, UserRecord } from '../../accounts/users/stored-user.records.ts'

/*
 * A guest is a user who was created for a link: without anything to sign in with, and without rights. A person who has
 * the link gets a session of the guest. See `needsOwnLogin` for all other recipients.
 */

type GuestRecipient =
  | {
      readonly email: string
      /** The account that has the address. The guest then only stands for it. */
      readonly successorId?: number | undefined
    }
  /** An anonymous guest, who expires with the link. */
  | { readonly expiresAt: number | null }

/** Builds a guest. The username is random, so that a product never takes a guest for the user of that name. */
export const buildGuest = (recipient: GuestRecipient): NewUser => {
  const guest = {
    username: `guest-${randomBytes(9).toString('hex')}`,
    is_external: true,
    isGuest: true,
    hasGuestNames: true,
  } as const
  if (!('email' in recipient)) return buildUser({ ...guest, expiresAt: recipient.expiresAt })
  const { email, successorId } = recipient
  return buildUser({
    ...guest,
    email,
    // Nobody proved it, but a guest holds it among guests: see `name-steps.records.ts`.
    ...noEmailState,
    ...(successorId !== undefined && { successorId, is_enabled: false }),
  })
}

/** Whether an anonymous guest never became a full user. Such a guest is deleted with the link. */
export const isUnclaimedGuest = (user: UserRecord): boolean => isGuestUser(user) && user.email === null
