import type { FoundInvitation } from '../../lib/accounts/invitations/find-invitation.ts'
import type { ChallengeBinding } from '../../lib/accounts/passkeys/challenges.ts'

/** The first passkey is created with the invitation that asked for it. */
export const buildInvitationBinding = ({ user, hash }: FoundInvitation): ChallengeBinding => ({
  purpose: 'invitation',
  userId: user.id,
  holder: hash,
})
