import {
  PasskeyAlgorithm,
  PasskeyAuthenticatorSelection,
  PasskeyCreationOptions,
  PasskeyDescriptor,
  PasskeyRelyingParty,
  PasskeyRequestOptions,
  PasskeyUser,
} from '../../models/passkeys.ts'
import { describeModel } from '../describe.ts'
import { exampleChallenge, usedPasskey } from '../example-passkeys.ts'

// Models that browsers read: the options of WebAuthn Level 3, section 5.1.8.

const publicKey = 'The kind of credential: always `public-key`.'
const challenge = 'A random value in base64url that the passkey signs. It works once, for 5 minutes.'
const timeout = 'How long browsers wait for the user, in milliseconds.'
const userVerification =
  'Whether the passkey must verify its user by a fingerprint, face or PIN: `required` or `preferred`. A setting of the operator.'

const exampleRelyingParty = { id: 'auth.example.com', name: 'Example' }
const exampleUser = { id: usedPasskey.response.userHandle, name: 'ada', displayName: 'Ada Lovelace' }
const exampleAlgorithm = { type: 'public-key' as const, alg: -7 }

const exampleDescriptor = {
  type: 'public-key' as const,
  id: usedPasskey.id,
  transports: ['internal', 'hybrid'],
}

const exampleSelection = {
  residentKey: 'required' as const,
  requireResidentKey: true,
  userVerification: 'required' as const,
}

export const passkeyOptionsTexts = [
  describeModel(PasskeyDescriptor, {
    description: 'A passkey of the user, by the name that browsers know it by.',
    fields: {
      type: publicKey,
      id: 'The ID of the passkey as the authenticator knows it, in base64url.',
      transports: 'How browsers can reach the authenticator, such as `internal` or `usb`.',
    },
    example: exampleDescriptor,
  }),
  describeModel(PasskeyRelyingParty, {
    description: 'The service that a passkey belongs to.',
    fields: {
      id: 'The domain that the passkey works for. A passkey never works for another domain.',
      name: 'The name of the service that browsers show.',
    },
    example: exampleRelyingParty,
  }),
  describeModel(PasskeyUser, {
    description: 'The user as an authenticator stores and shows them.',
    fields: {
      id: 'A random ID of the user in base64url, the same for all of their passkeys.',
      name: 'The username of the user.',
      displayName: 'The display name of the user.',
    },
    example: exampleUser,
  }),
  describeModel(PasskeyAlgorithm, {
    description: 'An algorithm that the service accepts.',
    fields: {
      type: publicKey,
      alg: 'The number of the algorithm for COSE: -7 for ES256, -8 for EdDSA, -257 for RS256.',
    },
    example: exampleAlgorithm,
  }),
  describeModel(PasskeyAuthenticatorSelection, {
    description: 'What the service requires of an authenticator.',
    fields: {
      residentKey: 'Always `required`: the authenticator stores the passkey, so that no username is needed.',
      requireResidentKey: 'The same for older browsers. Always `true`.',
      userVerification,
    },
    example: exampleSelection,
  }),
  describeModel(PasskeyCreationOptions, {
    description:
      'What a browser needs to create a passkey. Pass it to `PublicKeyCredential.parseCreationOptionsFromJSON()`. See WebAuthn Level 3, section 5.4.',
    fields: {
      rp: 'The service that the passkey will belong to.',
      user: 'The user of the passkey.',
      challenge,
      pubKeyCredParams: 'The algorithms that the service accepts, best first.',
      timeout,
      excludeCredentials:
        'The passkeys that the user has. An authenticator with one of them creates no other.',
      authenticatorSelection: 'What the service requires of the authenticator.',
      attestation: 'Always `none`: the service does not ask who made the authenticator.',
    },
    example: {
      rp: exampleRelyingParty,
      user: exampleUser,
      challenge: exampleChallenge,
      pubKeyCredParams: [exampleAlgorithm],
      timeout: 300_000,
      excludeCredentials: [exampleDescriptor],
      authenticatorSelection: exampleSelection,
      attestation: 'none',
    },
  }),
  describeModel(PasskeyRequestOptions, {
    description:
      'What a browser needs to use a passkey. Pass it to `PublicKeyCredential.parseRequestOptionsFromJSON()`. See WebAuthn Level 3, section 5.5.',
    fields: {
      challenge,
      rpId: 'The domain that the passkey must belong to.',
      timeout,
      userVerification,
      allowCredentials:
        'The passkeys that may be used. Empty if any passkey of the service may be used, so that no username is needed.',
    },
    example: {
      challenge: exampleChallenge,
      rpId: 'auth.example.com',
      timeout: 300_000,
      userVerification: 'required',
      allowCredentials: [],
    },
  }),
]
