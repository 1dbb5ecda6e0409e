import { getDisplayName } from '../../lib/accounts/directory/user-body.ts'
import { requireInvitation } from '../../lib/accounts/invitations/find-invitation.ts'
import { canChoosePassword } from '../../lib/accounts/invitations/invitation-state.ts'
import { findUsableProviders } from '../../lib/accounts/invitations/usable-providers.ts'
import { canHavePasskeys } from '../../lib/accounts/passkeys/passkey-rights.ts'
import type { invitations } from '../../lib/contract/operations/invitations.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { findUser } from '../../lib/store/directory/users.ts'
import { formatTime } from '../../lib/util/format-time.ts'

/**
 * Shows an invitation to the holder of its link. It uses nothing, however often it is called. The token is in the body,
 * because addresses get into logs.
 */
export const findInvitation: UseCase<typeof invitations.findInvitation> = async (
  { body, context },
  services,
) => {
  const { user, invitation } = await requireInvitation(services, context, body.token)
  const [inviter, providers] = await Promise.all([
    findUser(services.table, invitation.invitedBy),
    findUsableProviders(services, user),
  ])
  return {
    status: 200,
    body: {
      username: user.username,
      full_name: user.fullName,
      email: user.email ?? '',
      invited_by: inviter ? getDisplayName(inviter) : null,
      expires_at: formatTime(invitation.expiresAt),
      allows_password: canChoosePassword(user),
      allows_passkey: canHavePasskeys(user),
      providers: providers.map(({ id, name }) => ({ id, name })),
    },
  }
}
