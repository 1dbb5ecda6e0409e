import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { getDisplayName } from '../../accounts/users/user-body.ts'
import type { PasskeySettings } from '../../kernel/settings/passkey-settings.ts'
import type { PasskeyCreationOptions, PasskeyDescriptor, PasskeyRequestOptions } from './options.models.ts'
import type { PasskeyRecord } from './records.ts'

/** The algorithms of accepted keys, best first: ES256, EdDSA and RS256 (IANA registry of COSE algorithms). */
export const passkeyAlgorithms = [-7, -8, -257] as const

interface NewPasskeyFacts {
  readonly user: UserRecord
  readonly userHandle: string
  readonly challenge: string
  readonly existing: readonly PasskeyRecord[]
}

/** Builds the options to create a passkey (WebAuthn Level 3, section 5.4). It can be used without a username. */
export const buildCreationOptions = (
  { rpId, rpName, timeoutMs, userVerification }: PasskeySettings,
  { user, userHandle, challenge, existing }: NewPasskeyFacts,
): PasskeyCreationOptions => ({
  rp: { id: rpId, name: rpName },
  user: { id: userHandle, name: user.username, displayName: getDisplayName(user) },
  challenge,
  pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ type: 'public-key', alg })),
  timeout: timeoutMs,
  // An authenticator holds one passkey for each user.
  excludeCredentials: existing.map(toDescriptor),
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification },
  attestation: 'none',
})

interface UseFacts {
  readonly challenge: string
  readonly userVerification: PasskeySettings['userVerification']
  /** The passkeys of the user, if the user is known. */
  readonly allowed: readonly PasskeyRecord[]
}

/** Builds the options to use a passkey (WebAuthn Level 3, section 5.5). */
export const buildRequestOptions = (
  { rpId, timeoutMs }: PasskeySettings,
  { challenge, userVerification, allowed }: UseFacts,
): PasskeyRequestOptions => ({
  challenge,
  rpId,
  timeout: timeoutMs,
  userVerification,
  allowCredentials: allowed.map(toDescriptor),
})

const toDescriptor = ({ credentialId, transports }: PasskeyRecord): PasskeyDescriptor => ({
  type: 'public-key',
  id: credentialId,
  transports: [...transports],
})
