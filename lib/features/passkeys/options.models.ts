import * as z from 'zod/mini'
import { exampleChallenge, usedPasskey } from '../../accounts/example-values.models.ts'
import { flag, integer, nonEmptyText, texts } from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'

export const credentialType = z.literal('public-key')
const userVerification = z.enum(['required', 'preferred'])

// Models that browsers read: the options of WebAuthn Level 3, section 5.1.8.

const publicKeyDescription = docs && 'The kind of credential: always `public-key`.'

const exampleDescriptor = docs && {
  type: 'public-key' as const,
  id: usedPasskey.id,
  transports: ['internal', 'hybrid'],
}

/** How a browser refers to a passkey. */
export const PasskeyDescriptor = model(
  {
    type: field(credentialType, docs && publicKeyDescription),
    id: field(nonEmptyText, docs && 'The ID of the passkey as the authenticator knows it, in base64url.'),
    transports: field(
      texts,
      docs && 'How browsers can reach the authenticator, such as `internal` or `usb`.',
    ),
  },
  docs && {
    description: 'A passkey of the user, by the name that browsers know it by.',
    example: exampleDescriptor,
  },
)
export type PasskeyDescriptor = z.output<typeof PasskeyDescriptor>

const exampleRelyingParty = docs && { id: 'auth.example.com', name: 'Example' }

export const PasskeyRelyingParty = model(
  {
    id: field(
      nonEmptyText,
      docs && 'The domain that the passkey works for. A passkey never works for another domain.',
    ),
    name: field(nonEmptyText, docs && 'The name of the service that browsers show.'),
  },
  docs && { description: 'The service that a passkey belongs to.', example: exampleRelyingParty },
)
export type PasskeyRelyingParty = z.output<typeof PasskeyRelyingParty>

const examplePasskeyUser = docs && {
  id: usedPasskey.response.userHandle,
  name: 'ada',
  displayName: 'Ada Lovelace',
}

/** The user as an authenticator stores and shows them. `id` is random. */
export const PasskeyUser = model(
  {
    id: field(
      nonEmptyText,
      docs && 'A random ID of the user in base64url, the same for all of their passkeys.',
    ),
    name: field(nonEmptyText, docs && 'The username of the user.'),
    displayName: field(nonEmptyText, docs && 'The display name of the user.'),
  },
  docs && { description: 'The user as an authenticator stores and shows them.', example: examplePasskeyUser },
)
export type PasskeyUser = z.output<typeof PasskeyUser>

const exampleAlgorithm = docs && { type: 'public-key' as const, alg: -7 }

/** An algorithm by its number for COSE. */
export const PasskeyAlgorithm = model(
  {
    type: field(credentialType, docs && publicKeyDescription),
    alg: field(
      integer,
      docs && 'The number of the algorithm for COSE: -7 for ES256, -8 for EdDSA, -257 for RS256.',
    ),
  },
  docs && { description: 'An algorithm that the service accepts.', example: exampleAlgorithm },
)
export type PasskeyAlgorithm = z.output<typeof PasskeyAlgorithm>

const userVerificationDescription =
  docs &&
  'Whether the passkey must verify its user by a fingerprint, face or PIN: `required` or `preferred`. A setting of the operator.'

const exampleSelection = docs && {
  residentKey: 'required' as const,
  requireResidentKey: true,
  userVerification: 'required' as const,
}

export const PasskeyAuthenticatorSelection = model(
  {
    residentKey: field(
      z.literal('required'),
      docs && 'Always `required`: the authenticator stores the passkey, so that no username is needed.',
    ),
    requireResidentKey: field(flag, docs && 'The same for older browsers. Always `true`.'),
    userVerification: field(userVerification, docs && userVerificationDescription),
  },
  docs && { description: 'What the service requires of an authenticator.', example: exampleSelection },
)
export type PasskeyAuthenticatorSelection = z.output<typeof PasskeyAuthenticatorSelection>

const challengeDescription =
  docs && 'A random value in base64url that the passkey signs. It works once, for 5 minutes.'

const timeoutDescription = docs && 'How long browsers wait for the user, in milliseconds.'

/** What a browser needs to create a passkey. */
export const PasskeyCreationOptions = model(
  {
    rp: field(PasskeyRelyingParty, docs && 'The service that the passkey will belong to.'),
    user: field(PasskeyUser, docs && 'The user of the passkey.'),
    challenge: field(nonEmptyText, docs && challengeDescription),
    pubKeyCredParams: field(
      z.array(PasskeyAlgorithm),
      docs && 'The algorithms that the service accepts, best first.',
    ),
    timeout: field(integer, docs && timeoutDescription),
    excludeCredentials: field(
      z.array(PasskeyDescriptor),
      docs && 'The passkeys that the user has. An authenticator with one of them creates no other.',
    ),
    authenticatorSelection: field(
      PasskeyAuthenticatorSelection,
      docs && 'What the service requires of the authenticator.',
    ),
    attestation: field(
      z.literal('none'),
      docs && 'Always `none`: the service does not ask who made the authenticator.',
    ),
  },
  docs && {
    description:
      'What a browser needs to create a passkey. Pass it to `PublicKeyCredential.parseCreationOptionsFromJSON()`. See WebAuthn Level 3, section 5.4.',
    example: {
      rp: exampleRelyingParty,
      user: examplePasskeyUser,
      challenge: exampleChallenge,
      pubKeyCredParams: [exampleAlgorithm],
      timeout: 300_000,
      excludeCredentials: [exampleDescriptor],
      authenticatorSelection: exampleSelection,
      attestation: 'none' as const,
    },
  },
)
export type PasskeyCreationOptions = z.output<typeof PasskeyCreationOptions>

/** What a browser needs to use a passkey. */
export const PasskeyRequestOptions = model(
  {
    challenge: field(nonEmptyText, docs && challengeDescription),
    rpId: field(nonEmptyText, docs && 'The domain that the passkey must belong to.'),
    timeout: field(integer, docs && timeoutDescription),
    userVerification: field(userVerification, docs && userVerificationDescription),
    allowCredentials: field(
      z.array(PasskeyDescriptor),
      docs &&
        'The passkeys that may be used. Empty if any passkey of the service may be used, so that no username is needed.',
    ),
  },
  docs && {
    description:
      'What a browser needs to use a passkey. Pass it to `PublicKeyCredential.parseRequestOptionsFromJSON()`. See WebAuthn Level 3, section 5.5.',
    example: {
      challenge: exampleChallenge,
      rpId: 'auth.example.com',
      timeout: 300_000,
      userVerification: 'required' as const,
      allowCredentials: [],
    },
  },
)
export type PasskeyRequestOptions = z.output<typeof PasskeyRequestOptions>
