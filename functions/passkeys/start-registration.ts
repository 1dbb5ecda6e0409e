import { randomBytes } from 'node:crypto'
import { mintChallenge } from '../../lib/accounts/passkeys/challenges.ts'
import { buildCreationOptions } from '../../lib/accounts/passkeys/options.ts'
import { requireRightToPasskeys } from '../../lib/accounts/passkeys/passkey-rights.ts'
import type { passkeys } from '../../lib/contract/operations/passkeys.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { findPasskeys } from '../../lib/store/sign-in/passkeys.ts'
import { buildRegistrationBinding, requireRoomForPasskey } from './registration-binding.ts'

/** Starts the registration of a passkey. The first one gives the user a random handle, which all later ones share. */
export const startPasskeyRegistration: UseCase<typeof passkeys.startPasskeyRegistration> = async (
  { principal, context },
  services,
) => {
  const { user } = principal
  requireRightToPasskeys(user)
  requireRoomForPasskey(user)
  const userHandle = user.passkeys?.userHandle ?? randomBytes(32).toString('base64url')
  const binding = buildRegistrationBinding(principal)
  const challenge = await mintChallenge(services, context, { ...binding, userHandle })
  const existing = await findPasskeys(services.table, user.id)
  const body = buildCreationOptions(services.config.passkeys, { user, userHandle, challenge, existing })
  return { status: 200, body }
}
