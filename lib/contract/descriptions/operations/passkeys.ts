import { passkeysPerUser, secondFactorTokenLifetimeMs } from '../../../limits/limits.ts'
import { passkeyChallengeMs } from '../../../settings/passkey-settings.ts'
import { describeDuration } from '../../../util/describe-duration.ts'
import { AuthLoginEndpointResponse } from '../../models/login.ts'
import {
  CreatePasskeyRequest,
  Passkey,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  UsedPasskeyCredential,
} from '../../models/passkeys.ts'
import type { passkeys } from '../../operations/passkeys.ts'
import type { OperationTexts } from '../describe.ts'
import { describeRateLimit } from '../describe-rate-limit.ts'
import { exampleOf } from '../example-of.ts'
import { exampleCredentials, exampleIds } from '../example-values.ts'

const answerTime = describeDuration(passkeyChallengeMs)
const tokenTime = describeDuration(secondFactorTokenLifetimeMs)

const id = {
  description: 'The ID of the passkey, from `get_own_passkeys`.',
  example: exampleIds.passkey,
} as const
const { secondFactorToken } = exampleCredentials
const credential = exampleOf(UsedPasskeyCredential)

export const passkeysTexts: OperationTexts<typeof passkeys> = {
  startPasskeyRegistration: {
    description: `Returns the options with which a browser creates a passkey for the current user. Pass them to
\`navigator.credentials.create\`, then send its result to \`create_passkey\`. The page must be on an origin that the
service allows for passkeys.

The options work once, for ${answerTime}, and only in the same session. A user can have ${passkeysPerUser} passkeys: above that, the
response is 409 with the reason \`too_many_passkeys\`. The limit is ${describeRateLimit('passkeyChallenges')} per address.`,
    parameters: {},
    responses: { 200: [{ summary: 'Options for the browser', value: exampleOf(PasskeyCreationOptions) }] },
  },
  createPasskey: {
    description: `Adds a passkey to the current user. \`credential\` is the result of \`navigator.credentials.create\`, converted with
\`credential.toJSON()\`. From then on, the user can sign in with it.

A credential for other options, or after ${answerTime}, is a 400: start again with \`start_passkey_registration\`. A passkey
that is already registered is a 409. The user gets an email about the new passkey. The audit event is \`passkey.added\`.`,
    parameters: {},
    request: [{ summary: 'A new passkey with a name', value: exampleOf(CreatePasskeyRequest) }],
    responses: { 201: [{ summary: 'The new passkey', value: exampleOf(Passkey) }] },
  },
  getOwnPasskeys: {
    description:
      'Lists the passkeys of the current user. The secret part of a passkey is on the device of the user, never here.',
    parameters: {},
    responses: { 200: [{ summary: 'Passkeys', value: [exampleOf(Passkey)] }] },
  },
  patchPasskey: {
    description: `Renames a passkey of the current user. Other fields of the body are ignored. The audit event is \`passkey.renamed\`.`,
    parameters: { id },
    request: [{ summary: 'Another name', value: { name: 'Blue security key' } }],
    responses: { 200: [{ summary: 'The renamed passkey', value: exampleOf(Passkey) }] },
  },
  deletePasskey: {
    description: `Removes a passkey of the current user. All other sessions of the user end, because the device with the passkey may be
lost. The user gets an email about it. The audit event is \`passkey.removed\`.`,
    parameters: { id },
  },
  getPasskeySettings: {
    description:
      'Gets whether the password of the current user is enough to sign in, or also requires a passkey.',
    parameters: {},
    responses: {
      200: [{ summary: 'The password alone is enough', value: { required_with_password: false } }],
    },
  },
  updatePasskeySettings: {
    description: `Sets whether the password of the current user also requires a passkey. The user needs a spare factor, so that one lost
device does not lock them out: two passkeys, or a passkey and an authenticator app. Otherwise the response is 409 with the
reason \`spare_factor_required\`.

Turning it on ends all other sessions of the user. The user gets an email about each change. The audit event is
\`passkey.second_factor_changed\`.`,
    parameters: {},
    request: [
      { summary: 'Require a passkey', value: { required_with_password: true } },
      { summary: 'Require the password only', value: { required_with_password: false } },
    ],
    responses: { 200: [{ summary: 'The new setting', value: { required_with_password: true } }] },
  },
  getUserPasskeys: {
    description:
      'Lists the passkeys of a user, such as to help them after they lost a device. Remove one with `delete_user_passkey`.',
    parameters: { id: { description: 'The ID of the user.', example: 7 } },
    responses: { 200: [{ summary: 'Passkeys', value: [exampleOf(Passkey)] }] },
  },
  deleteUserPasskey: {
    description: `Removes a passkey of another user and ends all of their sessions. The user gets an email about it. The audit event is
\`passkey.removed\`.`,
    parameters: {
      id: { description: 'The ID of the user.', example: 7 },
      passkey_id: {
        description: 'The ID of the passkey, from `get_user_passkeys`.',
        example: exampleIds.passkey,
      },
    },
  },
  startPasskeyLogin: {
    description: `Returns the options with which a browser uses a passkey. Pass them to \`navigator.credentials.get\`, then send its result
to \`login_with_passkey\` within ${answerTime}. No username is needed: the browser lets the user choose.

After a \`login\` with the reason \`passkey_required\`, send its \`second_factor_token\`. The options then name the passkeys of
this user. The token works for ${tokenTime} and from the same network. The limit is ${describeRateLimit('passkeyChallenges')} per
address.`,
    parameters: {},
    request: [
      { summary: 'Sign in with a passkey alone', value: {} },
      {
        summary: 'Continue after the password',
        value: { second_factor_token: secondFactorToken },
      },
    ],
    responses: { 200: [{ summary: 'Options for the browser', value: exampleOf(PasskeyRequestOptions) }] },
  },
  loginWithPasskey: {
    description: `Signs a user in with a passkey and opens a session, like \`login\`. \`credential\` is the result of
\`navigator.credentials.get\`, converted with \`credential.toJSON()\`. A passkey alone counts as two factors, so it must
verify the user, such as by a fingerprint or PIN.

A refused passkey is a 401 \`login_failed\`. With the reason \`passkey_invalid\`, start again with new options. With
\`passkey_unknown\`, the passkey was removed from the account. With \`user_verification_required\`, sign in with the password.
The audit events are \`login.succeeded\` and \`login.failed\`.`,
    parameters: {},
    request: [
      { summary: 'A passkey alone', value: { credential } },
      {
        summary: 'A passkey after the password',
        value: { credential, second_factor_token: secondFactorToken },
      },
    ],
    responses: { 200: [{ summary: 'A session of a user', value: exampleOf(AuthLoginEndpointResponse) }] },
  },
  startPasskeyReauthentication: {
    description: `Returns the options with which the current user confirms their identity with a passkey. Pass them to
\`navigator.credentials.get\`, then send its result to \`reauthenticate_with_passkey\` within ${answerTime} and in the same
session.`,
    parameters: {},
    responses: { 200: [{ summary: 'Options for the browser', value: exampleOf(PasskeyRequestOptions) }] },
  },
  reauthenticateWithPasskey: {
    description: `Confirms the identity of the current user with a passkey, like \`confirm_identity\` does with the password. Call it when
another operation answered 403 with the reason \`reauthentication_required\`, then repeat that operation. The passkey must
verify the user. The audit event is \`session.reauthenticated\`.`,
    parameters: {},
    request: [{ summary: 'A passkey', value: { credential } }],
  },
}
