import type { UsedPasskeyCredential } from '../../contract/models/passkeys.ts'
import type { Services } from '../../services.ts'
import type { PasskeyRecord } from '../../store/sign-in/passkeys.ts'

/** What the use of a passkey proves. */
export interface VerifiedUse {
  readonly counter: number
  readonly isBackupEligible: boolean
  readonly isBackedUp: boolean
  readonly isUserVerified: boolean
}

/**
 * Verifies the use of a passkey (WebAuthn Level 3, section 7.2): signature, challenge, origin, RP ID and flags. Returns
 * undefined if it is not valid. The caller decides about user verification, counter and backup state.
 */
export const verifyAssertion = async (
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
