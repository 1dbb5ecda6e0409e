import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { buildSecurityNoticeStep } from '../../accounts/outbox/security-notices.ts'
import { isCredentialRevoked } from '../../accounts/users/revoked-credentials.records.ts'
import type { PasskeyState, UserRecord } from '../../accounts/users/stored-user.records.ts'
import { clonedPasskeyNoticeMs } from '../../kernel/limits/limits.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import type { StoredSignInPolicy } from '../sign-in/policy.records.ts'
import { buildUseChallengeStep } from './challenges.records.ts'
import { type ChallengeBinding, findChallenge } from './challenges.ts'
import type { UsedPasskeyCredential } from './models.ts'
import {
  buildPasskeyClonedStep,
  buildPasskeyUseStep,
  countProvenPasskey,
  findPasskeyAndUser,
  findPasskeyOwner,
  hashCredentialId,
  type PasskeyRecord,
} from './records.ts'
import { PasskeyRefused } from './refusal.ts'

interface PasskeyRequest {
  readonly credential: UsedPasskeyCredential
  /** The challenge that the credential must answer. Without a user in it, the credential names the user. */
  readonly binding: ChallengeBinding
  /** Whether the passkey must verify its user. */
  readonly requiresVerification: boolean
}

/** A passkey that was used as it should, with its owner. */
export interface PasskeyProof {
  readonly user: UserRecord
  readonly passkey: PasskeyRecord
  /** The sign-in policy, read together with the passkey. */
  readonly policy: StoredSignInPolicy | undefined
  /**
   * Uses the challenge and stores the new counter, in the transaction that the passkey is used for. The steps throw
   * `PasskeyRefused` if the same answer was accepted before, and `EditConflict` if the passkey changed since.
   */
  readonly steps: readonly Step[]
  /** What the use changes about the user, as they were read. It belongs to the same transaction. Undefined for nothing. */
  readonly state: PasskeyState | undefined
}

/**
 * Checks the use of a passkey.
 *
 * @throws PasskeyRefused
 */
export const provePasskey = async (
  services: Services,
  context: RequestContext,
  { credential, binding, requiresVerification }: PasskeyRequest,
): Promise<PasskeyProof> => {
  const challenge = await findChallenge(services, credential.response.clientDataJSON, binding)
  if (!challenge) throw new PasskeyRefused('passkey_invalid', binding.userId)
  const { passkey, user, policy } = await findOwned(services, credential, binding.userId)
  const use = await verifyAssertion(services, credential, challenge.value, passkey)
  // Whether devices may share a passkey never changes (WebAuthn Level 3, section 7.2, step 19).
  const { isBackupEligible = use?.isBackupEligible } = passkey
  if (!use || use.isBackupEligible !== isBackupEligible) throw new PasskeyRefused('passkey_invalid', user.id)
  if (requiresVerification && !use.isUserVerified)
    throw new PasskeyRefused('user_verification_required', user.id)
  if (hasCounterDecreased(passkey, use)) {
    await reportClone(services, context, { user, passkey })
    throw new PasskeyRefused('passkey_invalid', user.id)
  }
  const { counter, isBackedUp } = use
  const isUserVerified = passkey.isUserVerified || use.isUserVerified
  return {
    user,
    passkey,
    policy,
    state: countProvenPasskey(user, passkey),
    steps: [
      buildUseChallengeStep(challenge.record, () => new PasskeyRefused('passkey_invalid', user.id)),
      buildPasskeyUseStep(passkey, {
        counter,
        isBackupEligible,
        isBackedUp,
        isUserVerified,
        lastUsedAt: services.now(),
      }),
    ],
  }
}

/**
 * Finds the passkey and its owner, who must be the expected user. The user handle must be that of the owner. An imported
 * passkey has the one of the other system, so its signature alone says whose it is.
 */
const findOwned = async (
  { table }: Services,
  { id, response: { userHandle } }: UsedPasskeyCredential,
  expectedUserId: number | null,
): Promise<Omit<PasskeyProof, 'steps' | 'state'>> => {
  const hash = hashCredentialId(id)
  const ownerId = expectedUserId ?? (await findPasskeyOwner(table, hash))
  if (ownerId === undefined) throw new PasskeyRefused('passkey_unknown')
  const { passkey, user, policy } = await findPasskeyAndUser(table, ownerId, hash)
  if (!passkey || !user || isCredentialRevoked(user, passkey.createdAt))
    throw new PasskeyRefused('passkey_unknown', expectedUserId)
  // Authenticators return the handle whenever the service did not name the user.
  const isOwn = passkey.isImported === true || userHandle === user.passkeys?.userHandle
  const isExpected = userHandle ? isOwn : expectedUserId !== null
  if (!isExpected) throw new PasskeyRefused('passkey_invalid', user.id)
  return { passkey, user, policy }
}

/** Whether a copy of the passkey was used in between, or is used now (WebAuthn Level 3, section 6.1.1). */
const hasCounterDecreased = (passkey: PasskeyRecord, use: VerifiedUse): boolean =>
  (passkey.counter > 0 || use.counter > 0) && use.counter <= passkey.counter

/** Writes the audit event, and an email from time to time: someone with a copy could otherwise cause any number. */
const reportClone = async (
  services: Services,
  context: RequestContext,
  { user, passkey }: Pick<PasskeyProof, 'user' | 'passkey'>,
): Promise<void> => {
  const at = services.now()
  const isRecent = passkey.clonedAt !== undefined && at - passkey.clonedAt < clonedPasskeyNoticeMs
  const noticeSteps = isRecent
    ? []
    : [
        buildPasskeyClonedStep(passkey, at),
        ...buildSecurityNoticeStep(services, context, user, { kind: 'passkey_cloned' }),
      ]
  const audit = { user: user.id, target: String(passkey.id), outcome: 'refused' }
  await services.table.transact([auditStep(context, 'passkey.cloned', audit), ...noticeSteps])
}

/** What the use of a passkey proves. */
interface VerifiedUse {
  readonly counter: number
  readonly isBackupEligible: boolean
  readonly isBackedUp: boolean
  readonly isUserVerified: boolean
}

/**
 * Verifies the use of a passkey (WebAuthn Level 3, section 7.2): signature, challenge, origin, RP ID and flags. Returns
 * undefined if it is not valid. The caller decides about user verification, counter and backup state.
 */
const verifyAssertion = async (
  { config: { passkeys }, log }: Services,
  credential: UsedPasskeyCredential,
  challenge: string,
  { credentialId, publicKey }: PasskeyRecord,
): Promise<VerifiedUse | undefined> => {
  // Loaded on demand: most requests to this function do not need the library.
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { clientDataJSON, authenticatorData, signature } = credential.response
  try {
    const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
      response: {
        ...credential,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: [...passkeys.origins],
      expectedRPID: passkeys.rpId,
      // With 0, the library accepts every counter.
      credential: { id: credentialId, publicKey: Buffer.from(publicKey, 'base64url'), counter: 0 },
      requireUserVerification: false,
    })
    if (!verified) throw new Error('The signature is wrong.')
    return {
      counter: info.newCounter,
      isBackupEligible: info.credentialDeviceType === 'multiDevice',
      isBackedUp: info.credentialBackedUp,
      isUserVerified: info.userVerified,
    }
  } catch (error) {
    log.info('passkey.use_refused', { error })
    return undefined
  }
}
