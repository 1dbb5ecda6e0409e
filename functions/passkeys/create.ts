import { randomInt } from 'node:crypto'
import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { buildSecurityNoticeStep } from '../../lib/accounts/common/security-notices.ts'
import { findChallenge } from '../../lib/accounts/passkeys/challenges.ts'
import { toPasskeyBody } from '../../lib/accounts/passkeys/passkey-body.ts'
import { requireRightToPasskeys } from '../../lib/accounts/passkeys/passkey-rights.ts'
import { verifyRegistration } from '../../lib/accounts/passkeys/verify-registration.ts'
import type { passkeys } from '../../lib/contract/operations/passkeys.ts'
import { invalidRequest } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { EditConflict } from '../../lib/store/engine/transaction.ts'
import { buildUseChallengeStep } from '../../lib/store/sign-in/passkey-challenges.ts'
import { createPasskey as createStoredPasskey, type PasskeyRecord } from '../../lib/store/sign-in/passkeys.ts'
import { buildRegistrationBinding, requireRoomForPasskey } from './registration-binding.ts'

/** Adds a passkey that the browser created for a challenge of this session. It does not end other sessions. */
export const createPasskey: UseCase<typeof passkeys.createPasskey> = async (
  { body, principal, context },
  services,
) => {
  const { user } = principal
  requireRightToPasskeys(user)
  requireRoomForPasskey(user)
  const { clientDataJSON } = body.credential.response
  const challenge = await findChallenge(services, clientDataJSON, buildRegistrationBinding(principal))
  if (!challenge) throw invalidCredential()
  const verified = await verifyRegistration(services, body.credential, challenge.value)
  if (!verified) throw invalidCredential()
  const { userHandle = '' } = challenge.record
  // Another registration gave the user a handle in the meantime, so this passkey would not be recognized.
  if (user.passkeys && user.passkeys.userHandle !== userHandle) throw new EditConflict()
  const passkey: PasskeyRecord = {
    ...verified,
    id: randomInt(1, 2 ** 31),
    userId: user.id,
    name: body.name ?? 'Passkey',
    createdAt: services.now(),
    lastUsedAt: null,
  }
  await createStoredPasskey(services.table, user, { passkey, userHandle }, [
    buildUseChallengeStep(challenge.record, invalidCredential),
    auditStep(context, 'passkey.added', { user: user.id, target: String(passkey.id) }),
    ...buildSecurityNoticeStep(services, context, user, { kind: 'passkey_added' }),
  ])
  return {
    status: 201,
    headers: { location: `/api/2/users/me/passkeys/${passkey.id}` },
    body: toPasskeyBody(passkey),
  }
}

const invalidCredential = () =>
  invalidRequest([
    {
      field: 'credential',
      message: 'must be a new passkey for unused options that this session requested within five minutes',
    },
  ])
