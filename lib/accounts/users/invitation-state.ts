import { formatTime } from '../../kernel/util/time.ts'
import { hasSecondFactor } from './account-state.ts'
import { isGuestUser } from './guest-state.records.ts'
import { listExternalIds, type UserInvitation, type UserRecord } from './stored-user.records.ts'
import type { UserInvitationState } from './users.models.ts'

/*
 * An invitation lets a user sign in for the first time. The link in its email is a credential for seven days, which works
 * once. It is stored with the user, so it takes no further call to read, and ends with the user. It also ends with the
 * address that it was sent to, and with everything that ends all sessions: a disabled account, a new password, a report.
 */

/**
 * Whether the user can sign in already. Otherwise an invitation would be a second reset link, which lives too long and asks
 * for no second factor.
 */
export const canSignInAlready = (user: UserRecord): boolean =>
  user.passwordHash !== null || hasSecondFactor(user)

/** Whether the user may choose a password when they accept. */
export const canChoosePassword = ({
  allow_changing_password: allowChangingPassword,
  password_change_required: passwordChangeRequired,
}: UserRecord): boolean => allowChangingPassword || passwordChangeRequired

/** The invitation of a user that was not accepted and did not end. It may have expired. */
export const getOpenInvitation = (user: UserRecord): UserInvitation | undefined => {
  const { invitation, credentialEpoch, normalizedEmail } = user
  const isOpen =
    invitation !== undefined &&
    invitation.acceptedAt === undefined &&
    invitation.credentialEpoch === credentialEpoch &&
    invitation.normalizedEmail === normalizedEmail &&
    !canSignInAlready(user) &&
    !isGuestUser(user)
  return isOpen ? invitation : undefined
}

/** The invitation as those who manage users see it. Null if there is none, or if it ended before it was accepted. */
export const describeInvitation = (user: UserRecord, nowMs: number): UserInvitationState | null => {
  const { invitation } = user
  const isAccepted = invitation?.acceptedAt !== undefined
  if (!invitation || (!isAccepted && !getOpenInvitation(user))) return null
  const openState = nowMs < invitation.expiresAt ? 'pending' : 'expired'
  return {
    state: isAccepted ? 'accepted' : openState,
    sent_at: invitation.sentAt === undefined ? null : formatTime(invitation.sentAt),
    expires_at: formatTime(invitation.expiresAt),
    invited_by: invitation.invitedBy,
  }
}

/** Where a user was before, and since when they exist. An import takes both. */
export const describeOrigin = (user: UserRecord) => {
  const [external_id] = listExternalIds(user)
  return {
    ...(external_id ? { external_id } : {}),
    created_at: formatTime(user.registeredAt ?? user.createdAt),
  }
}

/** How a user came, as those who manage users see it: their invitation, the terms that they accepted, and their import. */
export const describeJoining = (user: UserRecord, nowMs: number) => ({
  invitation: describeInvitation(user, nowMs),
  accepted_terms: user.acceptedTerms
    ? { version: user.acceptedTerms.version, accepted_at: formatTime(user.acceptedTerms.at) }
    : null,
  ...describeOrigin(user),
  ...(user.legacySignIn && user.passwordHash === null ? { has_legacy_password: true } : {}),
})
