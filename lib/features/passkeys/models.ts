import * as z from 'zod/mini'
import { describeModel } from '../../kernel/contract/describe.ts'
import {
  anyText,
  dateTime,
  displayText,
  flag,
  id,
  nonEmptyText,
  nullableDateTime,
  text,
} from '../../kernel/contract/fields.ts'
import { passkeyNameLength, passkeysPerUser } from '../../kernel/limits/limits.ts'
import {
  exampleCredentials,
  exampleIds,
  exampleTimes,
  newPasskey,
  usedPasskey,
} from '../example-values.models.ts'
import { credentialType } from './options.models.ts'

/*
 * Options and credentials have the names and forms of WebAuthn Level 3 (section 5.1.8), so that browsers convert them:
 * `PublicKeyCredential.parseCreationOptionsFromJSON()`, `parseRequestOptionsFromJSON()` and `credential.toJSON()`.
 */
const name = text(passkeyNameLength)
const givenName = displayText(passkeyNameLength)
const base64url = (maximum: number) =>
  z.string().check(z.minLength(1), z.maxLength(maximum), z.regex(/^[\w-]+$/, 'must be base64url'))

/** Credential IDs have at most 1,023 bytes (WebAuthn Level 3, section 7.1). */
const credentialId = base64url(1364)

/** A passkey of a user. */
export const Passkey = z.strictObject({
  id,
  name,
  created_at: dateTime,
  last_used_at: nullableDateTime,
  is_synced: flag,
  is_backed_up: flag,
  is_user_verified: flag,
  aaguid: nonEmptyText,
})
export type Passkey = z.output<typeof Passkey>

const nameDescription = 'A name by which the user recognizes the passkey. It need not be unique.'

describeModel(Passkey, () => ({
  description: `A passkey of a user, who can have ${passkeysPerUser}. The key itself stays on the device of the user.`,
  fields: {
    id: 'The ID of the passkey in this service. It is random and not secret.',
    name: nameDescription,
    created_at: 'When the passkey was added: ISO 8601, UTC.',
    last_used_at: 'When the passkey last signed in: ISO 8601, UTC. Null if it never did.',
    is_synced: 'Whether several devices may have the passkey, such as by a password manager.',
    is_backed_up: 'Whether several devices have the passkey, or a backup exists.',
    is_user_verified:
      'Whether the passkey has verified its user by a fingerprint, face or PIN. Only then it signs in without a password.',
    aaguid: 'The model of the authenticator, as a UUID. Nothing proves it.',
  },
  example: {
    id: exampleIds.passkey,
    name: 'Laptop',
    created_at: exampleTimes.created,
    last_used_at: exampleTimes.signedIn,
    is_synced: true,
    is_backed_up: true,
    is_user_verified: true,
    aaguid: 'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4',
  },
}))

export const PasskeyPartialUpdate = z.strictObject({ name: z.optional(givenName) })
export type PasskeyPartialUpdate = z.output<typeof PasskeyPartialUpdate>

describeModel(PasskeyPartialUpdate, () => ({
  description: 'A new name for a passkey. Without a name, nothing changes.',
  fields: { name: nameDescription },
  example: { name: 'Work laptop' },
}))

/** The answer of an authenticator that created a passkey. */
export const PasskeyAttestation = z.object({
  clientDataJSON: base64url(8192),
  attestationObject: base64url(16_384),
  transports: z.optional(z.array(anyText).check(z.maxLength(20))),
})
export type PasskeyAttestation = z.output<typeof PasskeyAttestation>

const clientDataDescription =
  'What the browser signed, as base64url of JSON: the challenge and the origin of the page.'

describeModel(PasskeyAttestation, () => ({
  description: 'The answer of an authenticator that created a passkey. Fields that browsers add are ignored.',
  fields: {
    clientDataJSON: clientDataDescription,
    attestationObject: 'The new public key and facts about it, as base64url.',
    transports: 'How browsers can reach the authenticator, such as `internal` or `usb`. At most 20.',
  },
  example: newPasskey.response,
}))

/** The answer of an authenticator that used a passkey. */
export const PasskeyAssertion = z.object({
  clientDataJSON: base64url(8192),
  authenticatorData: base64url(8192),
  signature: base64url(8192),
  userHandle: z.optional(z.nullable(base64url(128))),
})
export type PasskeyAssertion = z.output<typeof PasskeyAssertion>

describeModel(PasskeyAssertion, () => ({
  description: 'The answer of an authenticator that used a passkey. Fields that browsers add are ignored.',
  fields: {
    clientDataJSON: clientDataDescription,
    authenticatorData: 'What the authenticator signed about itself, as base64url.',
    signature: 'The signature of the passkey, as base64url.',
    userHandle:
      'The random ID by which the authenticator knows the user, as base64url. Null or missing for some keys.',
  },
  example: usedPasskey.response,
}))

const credential = { id: credentialId, rawId: credentialId, type: credentialType }

/** A created passkey. Fields that browsers add are ignored. */
export const NewPasskeyCredential = z.object({ ...credential, response: PasskeyAttestation })
export type NewPasskeyCredential = z.output<typeof NewPasskeyCredential>

const credentialDescriptions = {
  id: 'The ID of the passkey as the authenticator knows it, in base64url.',
  rawId: 'The same as `id`.',
  type: 'The kind of credential: always `public-key`.',
}

describeModel(NewPasskeyCredential, () => ({
  description:
    'A created passkey: the result of `toJSON()` of the credential that the browser returned. Fields that browsers add are ignored.',
  fields: { ...credentialDescriptions, response: 'The answer of the authenticator.' },
  example: newPasskey,
}))

/** A used passkey. Fields that browsers add are ignored. */
export const UsedPasskeyCredential = z.object({ ...credential, response: PasskeyAssertion })
export type UsedPasskeyCredential = z.output<typeof UsedPasskeyCredential>

describeModel(UsedPasskeyCredential, () => ({
  description:
    'A used passkey: the result of `toJSON()` of the credential that the browser returned. Fields that browsers add are ignored.',
  fields: { ...credentialDescriptions, response: 'The answer of the authenticator.' },
  example: usedPasskey,
}))

export const CreatePasskeyRequest = z.strictObject({
  name: z.optional(givenName),
  credential: NewPasskeyCredential,
})
export type CreatePasskeyRequest = z.output<typeof CreatePasskeyRequest>

describeModel(CreatePasskeyRequest, () => ({
  description: 'A passkey that the browser created for options of the same session.',
  fields: { name: `${nameDescription} Default: \`Passkey\`.`, credential: 'The created passkey.' },
  example: { name: 'Laptop', credential: newPasskey },
}))

export const StartPasskeyLoginRequest = z.strictObject({ second_factor_token: z.optional(nonEmptyText) })
export type StartPasskeyLoginRequest = z.output<typeof StartPasskeyLoginRequest>

const secondFactorTokenDescription =
  'The `second_factor_token` of the error to a sign-in with the password, with the prefix `lkf_`. It works for 5 minutes, from the same network. Omit it to sign in with the passkey alone.'

describeModel(StartPasskeyLoginRequest, () => ({
  description: 'The start of a sign-in with a passkey. The body can be empty.',
  fields: { second_factor_token: secondFactorTokenDescription },
  example: { second_factor_token: exampleCredentials.secondFactorToken },
}))

export const PasskeyLoginRequest = z.strictObject({
  credential: UsedPasskeyCredential,
  second_factor_token: z.optional(nonEmptyText),
})
export type PasskeyLoginRequest = z.output<typeof PasskeyLoginRequest>

describeModel(PasskeyLoginRequest, () => ({
  description: 'A sign-in with a passkey, alone or after the password.',
  fields: {
    credential: 'The used passkey. It answers unused options of the last 5 minutes.',
    second_factor_token: `${secondFactorTokenDescription} Send the same as for the options.`,
  },
  example: { credential: usedPasskey },
}))

export const PasskeyReauthenticationRequest = z.strictObject({ credential: UsedPasskeyCredential })
export type PasskeyReauthenticationRequest = z.output<typeof PasskeyReauthenticationRequest>

describeModel(PasskeyReauthenticationRequest, () => ({
  description: 'A passkey that proves again that the user of a session is present.',
  fields: {
    credential: 'The used passkey. It answers unused options of this session of the last 5 minutes.',
  },
  example: { credential: usedPasskey },
}))

export const PasskeySettings = z.strictObject({
  required_with_password: flag,
})
export type PasskeySettings = z.output<typeof PasskeySettings>

describeModel(PasskeySettings, () => ({
  description: 'How the caller uses passkeys.',
  fields: {
    required_with_password:
      'Whether a sign-in with the password also requires a passkey. `true` needs a spare factor: two passkeys, or one and an authenticator app. Turning it on ends the other sessions. Default: `false`.',
  },
  example: { required_with_password: true },
}))
