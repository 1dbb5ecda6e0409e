import { passkeysPerUser } from '../../../limits/limits.ts'
import {
  CreatePasskeyRequest,
  NewPasskeyCredential,
  Passkey,
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyLoginRequest,
  PasskeyPartialUpdate,
  PasskeyReauthenticationRequest,
  PasskeySettings,
  StartPasskeyLoginRequest,
  UsedPasskeyCredential,
} from '../../models/passkeys.ts'
import { describeModel } from '../describe.ts'
import { newPasskey, usedPasskey } from '../example-passkeys.ts'
import { exampleCredentials, exampleIds, exampleTimes } from '../example-values.ts'

const name = 'A name by which the user recognizes the passkey. It need not be unique.'

const secondFactorToken =
  'The `second_factor_token` of the error to a sign-in with the password, with the prefix `lkf_`. It works for 5 minutes, from the same network. Omit it to sign in with the passkey alone.'

const clientData = 'What the browser signed, as base64url of JSON: the challenge and the origin of the page.'

const credential = {
  id: 'The ID of the passkey as the authenticator knows it, in base64url.',
  rawId: 'The same as `id`.',
  type: 'The kind of credential: always `public-key`.',
}

export const passkeysTexts = [
  describeModel(Passkey, {
    description: `A passkey of a user, who can have ${passkeysPerUser}. The key itself stays on the device of the user.`,
    fields: {
      id: 'The ID of the passkey in this service. It is random and not secret.',
      name,
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
  }),
  describeModel(PasskeyPartialUpdate, {
    description: 'A new name for a passkey. Without a name, nothing changes.',
    fields: { name },
    example: { name: 'Work laptop' },
  }),
  describeModel(PasskeyAttestation, {
    description:
      'The answer of an authenticator that created a passkey. Fields that browsers add are ignored.',
    fields: {
      clientDataJSON: clientData,
      attestationObject: 'The new public key and facts about it, as base64url.',
      transports: 'How browsers can reach the authenticator, such as `internal` or `usb`. At most 20.',
    },
    example: newPasskey.response,
  }),
  describeModel(PasskeyAssertion, {
    description: 'The answer of an authenticator that used a passkey. Fields that browsers add are ignored.',
    fields: {
      clientDataJSON: clientData,
      authenticatorData: 'What the authenticator signed about itself, as base64url.',
      signature: 'The signature of the passkey, as base64url.',
      userHandle:
        'The random ID by which the authenticator knows the user, as base64url. Null or missing for some keys.',
    },
    example: usedPasskey.response,
  }),
  describeModel(NewPasskeyCredential, {
    description:
      'A created passkey: the result of `toJSON()` of the credential that the browser returned. Fields that browsers add are ignored.',
    fields: { ...credential, response: 'The answer of the authenticator.' },
    example: newPasskey,
  }),
  describeModel(UsedPasskeyCredential, {
    description:
      'A used passkey: the result of `toJSON()` of the credential that the browser returned. Fields that browsers add are ignored.',
    fields: { ...credential, response: 'The answer of the authenticator.' },
    example: usedPasskey,
  }),
  describeModel(CreatePasskeyRequest, {
    description: 'A passkey that the browser created for options of the same session.',
    fields: { name: `${name} Default: \`Passkey\`.`, credential: 'The created passkey.' },
    example: { name: 'Laptop', credential: newPasskey },
  }),
  describeModel(StartPasskeyLoginRequest, {
    description: 'The start of a sign-in with a passkey. The body can be empty.',
    fields: { second_factor_token: secondFactorToken },
    example: { second_factor_token: exampleCredentials.secondFactorToken },
  }),
  describeModel(PasskeyLoginRequest, {
    description: 'A sign-in with a passkey, alone or after the password.',
    fields: {
      credential: 'The used passkey. It answers unused options of the last 5 minutes.',
      second_factor_token: `${secondFactorToken} Send the same as for the options.`,
    },
    example: { credential: usedPasskey },
  }),
  describeModel(PasskeyReauthenticationRequest, {
    description: 'A passkey that proves again that the user of a session is present.',
    fields: {
      credential: 'The used passkey. It answers unused options of this session of the last 5 minutes.',
    },
    example: { credential: usedPasskey },
  }),
  describeModel(PasskeySettings, {
    description: 'How the caller uses passkeys.',
    fields: {
      required_with_password:
        'Whether a sign-in with the password also requires a passkey. `true` needs a spare factor: two passkeys, or one and an authenticator app. Turning it on ends the other sessions. Default: `false`.',
    },
    example: { required_with_password: true },
  }),
]
