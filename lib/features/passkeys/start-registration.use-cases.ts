import { randomBytes } from 'node:crypto'
import type { UseCase } from '../../http/use-case.ts'
import { ConflictError } from '../../kernel/errors/errors.ts'
import { passkeysPerUser } from '../../kernel/limits/limits.ts'
import type { SessionPrincipal } from '../access/principal.ts'
import type { UserRecord } from '../directory/user.records.ts'
import { type ChallengeBinding, mintChallenge } from './challenges.ts'
import type { passkeys } from './operations.ts'
import { buildCreationOptions } from './options.ts'
import { requireRightToPasskeys } from './passkey-rights.ts'
import { findPasskeys } from './records.ts'

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

/** A passkey is added in the session that asked for it. */
export const buildRegistrationBinding = ({ user, hash }: SessionPrincipal): ChallengeBinding => ({
  purpose: 'register',
  userId: user.id,
  holder: hash,
})

/** @throws ConflictError `too_many_passkeys` */
export const requireRoomForPasskey = ({ passkeys }: UserRecord): void => {
  if ((passkeys?.count ?? 0) >= passkeysPerUser)
    throw new ConflictError('too_many_passkeys', `the user has ${passkeysPerUser} passkeys`)
}
