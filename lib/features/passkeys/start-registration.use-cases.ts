import { randomBytes } from 'node:crypto'
import type { UseCase } from '../../http/use-case.ts'
import { AppError, ConflictError } from '../../kernel/errors/errors.ts'
import { passkeysPerUser } from '../../kernel/limits/limits.ts'
import type { SessionPrincipal } from '../access/principal.ts'
import { hasPasskeys } from '../directory/account-state.ts'
import type { UserRecord } from '../directory/user.records.ts'
import { isLimitedToPasskeySetup } from '../sign-in/sessions.ts'
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
  requireSetupStillDue(principal)
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

/**
 * A session that only a password or a code opened adds the first passkey, and no further one: its owner may have added the first
 * one elsewhere. A recovery code replaces a passkey that was lost.
 *
 * @throws AppError `permission_denied`
 */
export const requireSetupStillDue = ({ user, session }: SessionPrincipal): void => {
  if (!isLimitedToPasskeySetup(session) || !hasPasskeys(user)) return
  if (!session.authentication.methods.includes('recovery_code'))
    throw new AppError('permission_denied', { detail: 'The account has a passkey now. Sign in with it.' })
}

/** @throws ConflictError `too_many_passkeys` */
export const requireRoomForPasskey = ({ passkeys }: UserRecord): void => {
  if ((passkeys?.count ?? 0) >= passkeysPerUser)
    throw new ConflictError('too_many_passkeys', `the user has ${passkeysPerUser} passkeys`)
}
