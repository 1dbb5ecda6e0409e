import * as z from 'zod/mini'
import {
  exampleCredentials,
  exampleIds,
  exampleTimes,
  newPasskey,
  usedPasskey,
} from '../../accounts/example-values.models.ts'
import { describeModel } from '../../kernel/contract/describe.ts'
import { rememberDeviceDescription } from '../../kernel/contract/descriptions/common-texts.ts'
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
import { field, model, openModel } from '../../kernel/contract/model.ts'
import { passkeyNameLength, passkeysPerUser, passkeyUpgradeMs } from '../../kernel/limits/limits.ts'
import { describeDuration } from '../../kernel/util/time.ts'
import { proof } from '../network-limits/models.ts'
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

const nameDescription = docs && 'A name by which the user recognizes the passkey. It need not be unique.'

/** A passkey of a user. */
export const Passkey = model(
  {
    id: field(id, docs && 'The ID of the passkey in this service. It is random and not secret.'),
    name: field(name, docs && nameDescription),
    created_at: field(dateTime, docs && 'When the passkey was added: ISO 8601, UTC.'),
    last_used_at: field(
      nullableDateTime,
      docs && 'When the passkey last signed in: ISO 8601, UTC. Null if it never did.',
    ),
    is_synced: field(
      flag,
      docs && 'Whether several devices may have the passkey, such as by a password manager.',
    ),
    is_backed_up: field(flag, docs && 'Whether several devices have the passkey, or a backup exists.'),
    is_user_verified: field(
      flag,
      docs &&
        'Whether the passkey has verified its user by a fingerprint, face or PIN. Only then it signs in without a password.',
    ),
    aaguid: field(nonEmptyText, docs && 'The model of the authenticator, as a UUID. Nothing proves it.'),
  },
  docs && {
    description: `A passkey of a user, who can have ${passkeysPerUser}. The key itself stays on the device of the user.`,
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
  },
)
export type Passkey = z.output<typeof Passkey>

export const StartPasskeyRegistrationRequest = model(
  {
    is_conditional: field(
      z.optional(flag),
      docs &&
        `Whether the browser creates the passkey without a question, with \`mediation: 'conditional'\`. Only within ${describeDuration(passkeyUpgradeMs)} of a sign-in with a password, and unless the sign-in policy turns it off. Default: \`false\`.`,
    ),
  },
  docs && {
    description: 'How a browser is to create a passkey.',
    example: { is_conditional: true },
  },
)
export type StartPasskeyRegistrationRequest = z.output<typeof StartPasskeyRegistrationRequest>

export const PasskeyPartialUpdate = model(
  {
    name: field(z.optional(givenName), docs && nameDescription),
  },
  docs && {
    description: 'A new name for a passkey. Without a name, nothing changes.',
    example: { name: 'Work laptop' },
  },
)
export type PasskeyPartialUpdate = z.output<typeof PasskeyPartialUpdate>

const clientDataDescription =
  docs && 'What the browser signed, as base64url of JSON: the challenge and the origin of the page.'

/** The answer of an authenticator that created a passkey. */
export const PasskeyAttestation = openModel(
  {
    clientDataJSON: field(base64url(8192), docs && clientDataDescription),
    attestationObject: field(
      base64url(16_384),
      docs && 'The new public key and facts about it, as base64url.',
    ),
    transports: field(
      z.optional(z.array(anyText).check(z.maxLength(20))),
      docs && 'How browsers can reach the authenticator, such as `internal` or `usb`. At most 20.',
    ),
  },
  docs && {
    description:
      'The answer of an authenticator that created a passkey. Fields that browsers add are ignored.',
    example: newPasskey.response,
  },
)
export type PasskeyAttestation = z.output<typeof PasskeyAttestation>

/** The answer of an authenticator that used a passkey. */
export const PasskeyAssertion = openModel(
  {
    clientDataJSON: field(base64url(8192), docs && clientDataDescription),
    authenticatorData: field(
      base64url(8192),
      docs && 'What the authenticator signed about itself, as base64url.',
    ),
    signature: field(base64url(8192), docs && 'The signature of the passkey, as base64url.'),
    userHandle: field(
      z.optional(z.nullable(base64url(128))),
      docs &&
        'The random ID by which the authenticator knows the user, as base64url. Null or missing for some keys.',
    ),
  },
  docs && {
    description: 'The answer of an authenticator that used a passkey. Fields that browsers add are ignored.',
    example: usedPasskey.response,
  },
)
export type PasskeyAssertion = z.output<typeof PasskeyAssertion>

const credential = { id: credentialId, rawId: credentialId, type: credentialType }

/** A created passkey. Fields that browsers add are ignored. */
export const NewPasskeyCredential = z.object({ ...credential, response: PasskeyAttestation })
export type NewPasskeyCredential = z.output<typeof NewPasskeyCredential>

const credentialDescriptions = docs && {
  id: 'The ID of the passkey as the authenticator knows it, in base64url.',
  rawId: 'The same as `id`.',
  type: 'The kind of credential: always `public-key`.',
}

if (docs)
  describeModel(NewPasskeyCredential, () => ({
    description:
      'A created passkey: the result of `toJSON()` of the credential that the browser returned. Fields that browsers add are ignored.',
    fields: { ...credentialDescriptions, response: 'The answer of the authenticator.' },
    example: newPasskey,
  }))

/** A used passkey. Fields that browsers add are ignored. */
export const UsedPasskeyCredential = z.object({ ...credential, response: PasskeyAssertion })
export type UsedPasskeyCredential = z.output<typeof UsedPasskeyCredential>

if (docs)
  describeModel(UsedPasskeyCredential, () => ({
    description:
      'A used passkey: the result of `toJSON()` of the credential that the browser returned. Fields that browsers add are ignored.',
    fields: { ...credentialDescriptions, response: 'The answer of the authenticator.' },
    example: usedPasskey,
  }))

export const CreatePasskeyRequest = model(
  {
    name: field(z.optional(givenName), docs && `${nameDescription} Default: \`Passkey\`.`),
    credential: field(NewPasskeyCredential, docs && 'The created passkey.'),
  },
  docs && {
    description: 'A passkey that the browser created for options of the same session.',
    example: { name: 'Laptop', credential: newPasskey },
  },
)
export type CreatePasskeyRequest = z.output<typeof CreatePasskeyRequest>

const secondFactorTokenDescription =
  docs &&
  'The `second_factor_token` of the error to a sign-in with the password, with the prefix `lkf_`. It works for 5 minutes, from the same network. Omit it to sign in with the passkey alone.'

export const StartPasskeyLoginRequest = model(
  {
    second_factor_token: field(z.optional(nonEmptyText), docs && secondFactorTokenDescription),
    proof,
  },
  docs && {
    description: 'The start of a sign-in with a passkey. The body can be empty.',
    example: { second_factor_token: exampleCredentials.secondFactorToken },
  },
)
export type StartPasskeyLoginRequest = z.output<typeof StartPasskeyLoginRequest>

export const PasskeyLoginRequest = model(
  {
    credential: field(
      UsedPasskeyCredential,
      docs && 'The used passkey. It answers unused options of the last 5 minutes.',
    ),
    second_factor_token: field(
      z.optional(nonEmptyText),
      docs && `${secondFactorTokenDescription} Send the same as for the options.`,
    ),
    remember_device: field(z.optional(flag), docs && rememberDeviceDescription),
  },
  docs && {
    description: 'A sign-in with a passkey, alone or after the password.',
    example: { credential: usedPasskey },
  },
)
export type PasskeyLoginRequest = z.output<typeof PasskeyLoginRequest>

export const PasskeyReauthenticationRequest = model(
  {
    credential: field(
      UsedPasskeyCredential,
      docs && 'The used passkey. It answers unused options of this session of the last 5 minutes.',
    ),
  },
  docs && {
    description: 'A passkey that proves again that the user of a session is present.',
    example: { credential: usedPasskey },
  },
)
export type PasskeyReauthenticationRequest = z.output<typeof PasskeyReauthenticationRequest>

const requiredWithPassword = field(
  flag,
  docs &&
    'Whether a sign-in with the password also requires a passkey. `true` needs a spare factor: two passkeys, or one and an authenticator app. Turning it on ends the other sessions. Default: `false`.',
)

export const PasskeySettings = model(
  { required_with_password: requiredWithPassword },
  docs && { description: 'How the caller uses passkeys.', example: { required_with_password: true } },
)
export type PasskeySettings = z.output<typeof PasskeySettings>

export const OwnPasskeySettings = model(
  {
    required_with_password: requiredWithPassword,
    rp_id: field(nonEmptyText, docs && 'The domain that the passkeys belong to.'),
    user_handle: field(
      z.nullable(nonEmptyText),
      docs &&
        'The random ID by which authenticators know the user, as base64url. Null if the list is not complete, or before the first passkey.',
    ),
    credential_ids: field(
      z.array(nonEmptyText),
      docs && 'The passkeys of the user as authenticators know them, in base64url.',
    ),
  },
  docs && {
    description:
      'How the caller uses passkeys, and what a page of the service tells password managers about them.',
    example: {
      required_with_password: true,
      rp_id: 'auth.example.com',
      user_handle: usedPasskey.response.userHandle,
      credential_ids: [usedPasskey.id],
    },
  },
)
export type OwnPasskeySettings = z.output<typeof OwnPasskeySettings>
