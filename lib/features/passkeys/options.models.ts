import * as z from 'zod/mini'
import { describeModel } from '../../kernel/contract/describe.ts'
import { flag, integer, nonEmptyText, texts } from '../../kernel/contract/fields.ts'
import { exampleChallenge, usedPasskey } from '../example-values.models.ts'

export const credentialType = z.literal('public-key')
const userVerification = z.enum(['required', 'preferred'])

/** How a browser refers to a passkey. */
export const PasskeyDescriptor = z.strictObject({
  type: credentialType,
  id: nonEmptyText,
  transports: texts,
})
export type PasskeyDescriptor = z.output<typeof PasskeyDescriptor>

// Models that browsers read: the options of WebAuthn Level 3, section 5.1.8.

const publicKeyDescription = 'The kind of credential: always `public-key`.'

const exampleDescriptor = {
  type: 'public-key' as const,
  id: usedPasskey.id,
  transports: ['internal', 'hybrid'],
}

describeModel(PasskeyDescriptor, () => ({
  description: 'A passkey of the user, by the name that browsers know it by.',
  fields: {
    type: publicKeyDescription,
    id: 'The ID of the passkey as the authenticator knows it, in base64url.',
    transports: 'How browsers can reach the authenticator, such as `internal` or `usb`.',
  },
  example: exampleDescriptor,
}))

export const PasskeyRelyingParty = z.strictObject({ id: nonEmptyText, name: nonEmptyText })
export type PasskeyRelyingParty = z.output<typeof PasskeyRelyingParty>

const exampleRelyingParty = { id: 'auth.example.com', name: 'Example' }

describeModel(PasskeyRelyingParty, () => ({
  description: 'The service that a passkey belongs to.',
  fields: {
    id: 'The domain that the passkey works for. A passkey never works for another domain.',
    name: 'The name of the service that browsers show.',
  },
  example: exampleRelyingParty,
}))

/** The user as an authenticator stores and shows them. `id` is random. */
export const PasskeyUser = z.strictObject({ id: nonEmptyText, name: nonEmptyText, displayName: nonEmptyText })
export type PasskeyUser = z.output<typeof PasskeyUser>

const examplePasskeyUser = { id: usedPasskey.response.userHandle, name: 'ada', displayName: 'Ada Lovelace' }

describeModel(PasskeyUser, () => ({
  description: 'The user as an authenticator stores and shows them.',
  fields: {
    id: 'A random ID of the user in base64url, the same for all of their passkeys.',
    name: 'The username of the user.',
    displayName: 'The display name of the user.',
  },
  example: examplePasskeyUser,
}))

/** An algorithm by its number for COSE. */
export const PasskeyAlgorithm = z.strictObject({ type: credentialType, alg: integer })
export type PasskeyAlgorithm = z.output<typeof PasskeyAlgorithm>

const exampleAlgorithm = { type: 'public-key' as const, alg: -7 }

describeModel(PasskeyAlgorithm, () => ({
  description: 'An algorithm that the service accepts.',
  fields: {
    type: publicKeyDescription,
    alg: 'The number of the algorithm for COSE: -7 for ES256, -8 for EdDSA, -257 for RS256.',
  },
  example: exampleAlgorithm,
}))

export const PasskeyAuthenticatorSelection = z.strictObject({
  residentKey: z.literal('required'),
  requireResidentKey: flag,
  userVerification,
})
export type PasskeyAuthenticatorSelection = z.output<typeof PasskeyAuthenticatorSelection>

const userVerificationDescription =
  'Whether the passkey must verify its user by a fingerprint, face or PIN: `required` or `preferred`. A setting of the operator.'

const exampleSelection = {
  residentKey: 'required' as const,
  requireResidentKey: true,
  userVerification: 'required' as const,
}

describeModel(PasskeyAuthenticatorSelection, () => ({
  description: 'What the service requires of an authenticator.',
  fields: {
    residentKey: 'Always `required`: the authenticator stores the passkey, so that no username is needed.',
    requireResidentKey: 'The same for older browsers. Always `true`.',
    userVerification: userVerificationDescription,
  },
  example: exampleSelection,
}))

/** What a browser needs to create a passkey. */
export const PasskeyCreationOptions = z.strictObject({
  rp: PasskeyRelyingParty,
  user: PasskeyUser,
  challenge: nonEmptyText,
  pubKeyCredParams: z.array(PasskeyAlgorithm),
  timeout: integer,
  excludeCredentials: z.array(PasskeyDescriptor),
  authenticatorSelection: PasskeyAuthenticatorSelection,
  attestation: z.literal('none'),
})
export type PasskeyCreationOptions = z.output<typeof PasskeyCreationOptions>

const challengeDescription =
  'A random value in base64url that the passkey signs. It works once, for 5 minutes.'

const timeoutDescription = 'How long browsers wait for the user, in milliseconds.'

describeModel(PasskeyCreationOptions, () => ({
  description:
    'What a browser needs to create a passkey. Pass it to `PublicKeyCredential.parseCreationOptionsFromJSON()`. See WebAuthn Level 3, section 5.4.',
  fields: {
    rp: 'The service that the passkey will belong to.',
    user: 'The user of the passkey.',
    challenge: challengeDescription,
    pubKeyCredParams: 'The algorithms that the service accepts, best first.',
    timeout: timeoutDescription,
    excludeCredentials: 'The passkeys that the user has. An authenticator with one of them creates no other.',
    authenticatorSelection: 'What the service requires of the authenticator.',
    attestation: 'Always `none`: the service does not ask who made the authenticator.',
  },
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
}))

/** What a browser needs to use a passkey. */
export const PasskeyRequestOptions = z.strictObject({
  challenge: nonEmptyText,
  rpId: nonEmptyText,
  timeout: integer,
  userVerification,
  allowCredentials: z.array(PasskeyDescriptor),
})
export type PasskeyRequestOptions = z.output<typeof PasskeyRequestOptions>

describeModel(PasskeyRequestOptions, () => ({
  description:
    'What a browser needs to use a passkey. Pass it to `PublicKeyCredential.parseRequestOptionsFromJSON()`. See WebAuthn Level 3, section 5.5.',
  fields: {
    challenge: challengeDescription,
    rpId: 'The domain that the passkey must belong to.',
    timeout: timeoutDescription,
    userVerification: userVerificationDescription,
    allowCredentials:
      'The passkeys that may be used. Empty if any passkey of the service may be used, so that no username is needed.',
  },
  example: {
    challenge: exampleChallenge,
    rpId: 'auth.example.com',
    timeout: 300_000,
    userVerification: 'required' as const,
    allowCredentials: [],
  },
}))
