import * as z from 'zod/mini'
import { displayText } from './display-text.ts'
import {
  anyText,
  dateTime,
  flag,
  id,
  integer,
  nonEmptyText,
  nullableDateTime,
  text,
  texts,
} from './fields.ts'

/*
 * Options and credentials have the names and forms of WebAuthn Level 3 (section 5.1.8), so that browsers convert them:
 * `PublicKeyCredential.parseCreationOptionsFromJSON()`, `parseRequestOptionsFromJSON()` and `credential.toJSON()`.
 */

const name = text(100)
const givenName = displayText(100)
const base64url = (maximum: number) =>
  z.string().check(z.minLength(1), z.maxLength(maximum), z.regex(/^[\w-]+$/, 'must be base64url'))

/** Credential IDs have at most 1,023 bytes (WebAuthn Level 3, section 7.1). */
const credentialId = base64url(1364)
const credentialType = z.literal('public-key')
const userVerification = z.enum(['required', 'preferred'])

/** A passkey of a user. */
export const Passkey = z.strictObject({
  id,
  name,
  created_at: dateTime,
  last_used_at: nullableDateTime,
  /** Whether several devices may have it. */
  is_synced: flag,
  /** Whether several devices have it, or a backup exists. */
  is_backed_up: flag,
  /** Whether it has verified its user, so that it can be used without a password. */
  is_user_verified: flag,
  /** The model of the authenticator. Nothing proves it. */
  aaguid: nonEmptyText,
})
export type Passkey = z.output<typeof Passkey>

export const PasskeyPartialUpdate = z.strictObject({ name: z.optional(givenName) })
export type PasskeyPartialUpdate = z.output<typeof PasskeyPartialUpdate>

/** How a browser refers to a passkey. */
export const PasskeyDescriptor = z.strictObject({
  type: credentialType,
  id: nonEmptyText,
  transports: texts,
})
export type PasskeyDescriptor = z.output<typeof PasskeyDescriptor>

export const PasskeyRelyingParty = z.strictObject({ id: nonEmptyText, name: nonEmptyText })
export type PasskeyRelyingParty = z.output<typeof PasskeyRelyingParty>

/** The user as an authenticator stores and shows them. `id` is random. */
export const PasskeyUser = z.strictObject({ id: nonEmptyText, name: nonEmptyText, displayName: nonEmptyText })
export type PasskeyUser = z.output<typeof PasskeyUser>

/** An algorithm by its number for COSE. */
export const PasskeyAlgorithm = z.strictObject({ type: credentialType, alg: integer })
export type PasskeyAlgorithm = z.output<typeof PasskeyAlgorithm>

export const PasskeyAuthenticatorSelection = z.strictObject({
  residentKey: z.literal('required'),
  requireResidentKey: flag,
  userVerification,
})
export type PasskeyAuthenticatorSelection = z.output<typeof PasskeyAuthenticatorSelection>

/** What a browser needs to create a passkey. */
export const PasskeyCreationOptions = z.strictObject({
  rp: PasskeyRelyingParty,
  user: PasskeyUser,
  challenge: nonEmptyText,
  pubKeyCredParams: z.array(PasskeyAlgorithm),
  /** Milliseconds. */
  timeout: integer,
  excludeCredentials: z.array(PasskeyDescriptor),
  authenticatorSelection: PasskeyAuthenticatorSelection,
  attestation: z.literal('none'),
})
export type PasskeyCreationOptions = z.output<typeof PasskeyCreationOptions>

/** What a browser needs to use a passkey. */
export const PasskeyRequestOptions = z.strictObject({
  challenge: nonEmptyText,
  rpId: nonEmptyText,
  /** Milliseconds. */
  timeout: integer,
  userVerification,
  /** Empty if any passkey of the service may be used. */
  allowCredentials: z.array(PasskeyDescriptor),
})
export type PasskeyRequestOptions = z.output<typeof PasskeyRequestOptions>

/** The answer of an authenticator that created a passkey. */
export const PasskeyAttestation = z.object({
  clientDataJSON: base64url(8192),
  attestationObject: base64url(16_384),
  transports: z.optional(z.array(anyText).check(z.maxLength(20))),
})
export type PasskeyAttestation = z.output<typeof PasskeyAttestation>

/** The answer of an authenticator that used a passkey. */
export const PasskeyAssertion = z.object({
  clientDataJSON: base64url(8192),
  authenticatorData: base64url(8192),
  signature: base64url(8192),
  userHandle: z.optional(z.nullable(base64url(128))),
})
export type PasskeyAssertion = z.output<typeof PasskeyAssertion>

const credential = { id: credentialId, rawId: credentialId, type: credentialType }

/** A created passkey. Fields that browsers add are ignored. */
export const NewPasskeyCredential = z.object({ ...credential, response: PasskeyAttestation })
export type NewPasskeyCredential = z.output<typeof NewPasskeyCredential>

/** A used passkey. Fields that browsers add are ignored. */
export const UsedPasskeyCredential = z.object({ ...credential, response: PasskeyAssertion })
export type UsedPasskeyCredential = z.output<typeof UsedPasskeyCredential>

export const CreatePasskeyRequest = z.strictObject({
  name: z.optional(givenName),
  credential: NewPasskeyCredential,
})
export type CreatePasskeyRequest = z.output<typeof CreatePasskeyRequest>

export const StartPasskeyLoginRequest = z.strictObject({ second_factor_token: z.optional(nonEmptyText) })
export type StartPasskeyLoginRequest = z.output<typeof StartPasskeyLoginRequest>

export const PasskeyLoginRequest = z.strictObject({
  credential: UsedPasskeyCredential,
  second_factor_token: z.optional(nonEmptyText),
})
export type PasskeyLoginRequest = z.output<typeof PasskeyLoginRequest>

export const PasskeyReauthenticationRequest = z.strictObject({ credential: UsedPasskeyCredential })
export type PasskeyReauthenticationRequest = z.output<typeof PasskeyReauthenticationRequest>

export const PasskeySettings = z.strictObject({
  /** Whether a sign-in with the password also requires a passkey. */
  required_with_password: flag,
})
export type PasskeySettings = z.output<typeof PasskeySettings>
