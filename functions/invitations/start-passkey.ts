import { randomBytes } from 'node:crypto'
import { requireInvitation } from '../../lib/accounts/invitations/find-invitation.ts'
import { mintChallenge } from '../../lib/accounts/passkeys/challenges.ts'
import { buildCreationOptions } from '../../lib/accounts/passkeys/options.ts'
import { requireRightToPasskeys } from '../../lib/accounts/passkeys/passkey-rights.ts'
import type { invitations } from '../../lib/contract/operations/invitations.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { buildInvitationBinding } from './passkey-binding.ts'

/** Starts the registration of the first passkey. It must verify its user, because it will sign in without a password. */
export const startInvitationPasskey: UseCase<typeof invitations.startInvitationPasskey> = async (
  { body, context },
  services,
) => {
  const found = await requireInvitation(services, context, body.token)
  const { user } = found
  requireRightToPasskeys(user)
  const userHandle = user.passkeys?.userHandle ?? randomBytes(32).toString('base64url')
  const challenge = await mintChallenge(services, context, { ...buildInvitationBinding(found), userHandle })
  const settings = { ...services.config.passkeys, userVerification: 'required' } as const
  return { status: 200, body: buildCreationOptions(settings, { user, userHandle, challenge, existing: [] }) }
}
