import type { SessionPrincipal } from '../../lib/accounts/common/principal.ts'
import type { ChallengeBinding } from '../../lib/accounts/passkeys/challenges.ts'
import { ConflictError } from '../../lib/errors/errors.ts'
import { passkeysPerUser } from '../../lib/limits/limits.ts'
import type { UserRecord } from '../../lib/store/directory/user-record.ts'

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
