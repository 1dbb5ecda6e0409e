import type { Services } from '../../services.ts'
import type { NewPasskeyCredential } from './models.ts'
import { passkeyAlgorithms } from './options.ts'
import type { PasskeyRecord } from './records.ts'
import { hashCredentialId } from './records.ts'

/** What a registration proves about a new passkey. */
export type VerifiedPasskey = Pick<
  PasskeyRecord,
  | 'hash'
  | 'credentialId'
  | 'publicKey'
  | 'counter'
  | 'transports'
  | 'isBackupEligible'
  | 'isBackedUp'
  | 'isUserVerified'
  | 'aaguid'
>

/**
 * Verifies the registration of a passkey (WebAuthn Level 3, section 7.1): challenge, origin, RP ID, flags and algorithm.
 * Returns undefined if it is not valid. The model of the authenticator is not verified, because any may be used. One that the
 * browser created without a question need not prove that its user was present (section 5.1.3).
 */
export const verifyRegistration = async (
  { config: { passkeys }, log }: Services,
  credential: NewPasskeyCredential,
  challenge: string,
  { isConditional = false }: { readonly isConditional?: boolean } = {},
): Promise<VerifiedPasskey | undefined> => {
  // Loaded on demand: most requests to this function do not need the library.
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  try {
    if (!(await hasPlainAttestation(credential))) throw new Error('The attestation is neither none nor self.')
    const { registrationInfo: info } = await verifyRegistrationResponse({
      response: { ...credential, response: toAttestation(credential), clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: [...passkeys.origins],
      expectedRPID: passkeys.rpId,
      requireUserPresence: !isConditional,
      requireUserVerification: !isConditional && passkeys.userVerification === 'required',
      supportedAlgorithmIDs: [...passkeyAlgorithms],
    })
    if (!info) throw new Error('The attestation signature is wrong.')
    if (info.credential.id !== credential.id) throw new Error('The credential has two different IDs.')
    return {
      hash: hashCredentialId(info.credential.id),
      credentialId: info.credential.id,
      publicKey: Buffer.from(info.credential.publicKey).toString('base64url'),
      counter: info.credential.counter,
      transports: readTransports(credential.response.transports),
      isBackupEligible: info.credentialDeviceType === 'multiDevice',
      isBackedUp: info.credentialBackedUp,
      isUserVerified: info.userVerified,
      aaguid: info.aaguid,
    }
  } catch (error) {
    log.info('passkey.registration_refused', { error })
    return undefined
  }
}

const toAttestation = ({ response: { clientDataJSON, attestationObject } }: NewPasskeyCredential) => ({
  clientDataJSON,
  attestationObject,
})

/**
 * Whether the attestation is none, or made with the new key itself. Browsers remove all others, because the options ask
 * for none (section 5.1.3). So their certificates need not be parsed.
 */
const hasPlainAttestation = async ({ response }: NewPasskeyCredential): Promise<boolean> => {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const decoded = decodeAttestationObject(Buffer.from(response.attestationObject, 'base64url'))
  const format = decoded.get('fmt')
  return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
}

const knownTransports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

/** Unknown transports are dropped, because the list is stored and sent to browsers again. */
export const readTransports = (given: readonly string[] = []): readonly string[] =>
  knownTransports.filter((transport) => given.includes(transport))

/** Whether a public key as COSE, in base64url, is complete and of an accepted algorithm. */
export const isUsablePublicKey = async (publicKey: string): Promise<boolean> => {
  const { cose, decodeCredentialPublicKey } = await import('@simplewebauthn/server/helpers')
  try {
    const key = decodeCredentialPublicKey(Buffer.from(publicKey, 'base64url'))
    const isComplete =
      cose.isCOSEPublicKeyOKP(key) || cose.isCOSEPublicKeyEC2(key) || cose.isCOSEPublicKeyRSA(key)
    return isComplete && passkeyAlgorithms.some((algorithm) => algorithm === key.get(cose.COSEKEYS.alg))
  } catch {
    return false
  }
}
