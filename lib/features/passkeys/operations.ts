import * as z from 'zod/mini'
import { exampleIds } from '../../accounts/example-values.models.ts'
import { bySession, withPermission, withPermissionBySession } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { writable } from '../../kernel/contract/fields.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { ordering, paging } from '../../kernel/contract/query.ts'
import { passkeysPerUser } from '../../kernel/limits/limits.ts'
import { passkeyChallengeMs } from '../../kernel/settings/passkey-settings.ts'
import { describeDuration } from '../../kernel/util/time.ts'
import {
  CreatePasskeyRequest,
  OwnPasskeySettings,
  Passkey,
  PasskeyPartialUpdate,
  PasskeySettings,
  StartPasskeyRegistrationRequest,
} from './models.ts'
import { PasskeyCreationOptions } from './options.models.ts'
import { passkeysSignIn } from './sign-in.operations.ts'

const listQuery = z.strictObject({ ordering: ordering(['id', 'name', 'created_at']), ...paging })
const answerTimeDescription = docs && describeDuration(passkeyChallengeMs)

const idDescription =
  docs &&
  ({
    description: 'The ID of the passkey, from `get_own_passkeys`.',
    example: exampleIds.passkey,
  } as const)

export const passkeys = {
  startPasskeyRegistration: defineOperation({
    id: 'start_passkey_registration',
    group: 'passkeys',
    method: 'POST',
    path: '/api/2/users/me/passkeys/options',
    access: bySession,
    summary: 'Get the options for a browser to create a passkey',
    body: StartPasskeyRegistrationRequest,
    isBodyOptional: true,
    responses: { 200: docs && PasskeyCreationOptions },
    errors: ['conflict', 'permission_denied', 'too_many_requests'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    allowsSetupSession: true,
    limits: ['passkeyChallenges', 'knownBrowserUses'],
    text:
      docs &&
      describe(() => ({
        description: `Returns the options with which a browser creates a passkey for the current user. Pass them to
\`navigator.credentials.create\`, then send its result to \`create_passkey\`. The page must be on an origin that the
service allows for passkeys.

The options work once, for ${answerTimeDescription}, and only in the same session. A user can have ${passkeysPerUser} passkeys: above that, the
response is 409 with the reason \`too_many_passkeys\`.

With \`is_conditional\`, a password manager that has just filled in the password of the user may add a passkey without a question
(WebAuthn Level 3, section 5.1.3). Such a passkey need not prove that its user was present or verified.`,
        parameters: {},
        request: [
          { summary: 'A passkey that the user asks for', value: {} },
          {
            summary: 'A passkey after a sign-in with a password',
            value: exampleOf(StartPasskeyRegistrationRequest),
          },
        ],
        responses: {
          200: [{ summary: 'Options for the browser', value: exampleOf(PasskeyCreationOptions) }],
        },
      })),
  }),
  createPasskey: defineOperation({
    id: 'create_passkey',
    group: 'passkeys',
    method: 'POST',
    path: '/api/2/users/me/passkeys',
    access: bySession,
    summary: 'Add a passkey that the browser created',
    body: CreatePasskeyRequest,
    responses: { 201: docs && Passkey },
    errors: ['conflict', 'permission_denied'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    allowsSetupSession: true,
    audit: ['passkey.added'],
    text:
      docs &&
      describe(() => ({
        description: `Adds a passkey to the current user. \`credential\` is the result of \`navigator.credentials.create\`, converted with
\`credential.toJSON()\`. From then on, the user can sign in with it.

A credential for other options, or after ${answerTimeDescription}, is a 400: start again with \`start_passkey_registration\`. A passkey
that is already registered is a 409. The user gets an email about the new passkey.`,
        parameters: {},
        request: [{ summary: 'A new passkey with a name', value: exampleOf(CreatePasskeyRequest) }],
        responses: { 201: [{ summary: 'The new passkey', value: exampleOf(Passkey) }] },
      })),
  }),
  getOwnPasskeys: defineOperation({
    id: 'get_own_passkeys',
    group: 'passkeys',
    method: 'GET',
    path: '/api/2/users/me/passkeys',
    access: bySession,
    summary: "List the caller's passkeys",
    query: listQuery,
    responses: { 200: docs && z.array(Passkey) },
    notWhileImpersonating: true,
    allowsSetupSession: true,
    text:
      docs &&
      describe(() => ({
        description:
          'Lists the passkeys of the current user. The secret part of a passkey is on the device of the user, never here.',
        parameters: {},
        responses: { 200: [{ summary: 'Passkeys', value: [exampleOf(Passkey)] }] },
      })),
  }),
  patchPasskey: defineOperation({
    id: 'patch_passkey',
    group: 'passkeys',
    method: 'PATCH',
    path: '/api/2/users/me/passkeys/{id}',
    access: bySession,
    summary: 'Rename a passkey',
    body: writable(PasskeyPartialUpdate, Passkey),
    responses: { 200: docs && Passkey },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
    audit: ['passkey.renamed'],
    text:
      docs &&
      describe(() => ({
        description: `Renames a passkey of the current user. Other fields of the body are ignored.`,
        parameters: { id: idDescription },
        request: [{ summary: 'Another name', value: { name: 'Blue security key' } }],
        responses: { 200: [{ summary: 'The renamed passkey', value: exampleOf(Passkey) }] },
      })),
  }),
  deletePasskey: defineOperation({
    id: 'delete_passkey',
    group: 'passkeys',
    method: 'DELETE',
    path: '/api/2/users/me/passkeys/{id}',
    access: bySession,
    summary: "Remove a passkey and end the caller's other sessions",
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['passkey.removed'],
    text:
      docs &&
      describe(() => ({
        description: `Removes a passkey of the current user. All other sessions of the user end, because the device with the passkey may be
lost. The user gets an email about it. The last way to sign in stays: 409 with the reason \`last_sign_in_method\` lists what is left, and
what the user can add first.`,
        parameters: { id: idDescription },
      })),
  }),
  getPasskeySettings: defineOperation({
    id: 'get_passkey_settings',
    group: 'passkeys',
    method: 'GET',
    path: '/api/2/users/me/passkeys/settings',
    access: bySession,
    summary: "Get whether the caller's password also requires a passkey",
    responses: { 200: docs && OwnPasskeySettings },
    notWhileImpersonating: true,
    text:
      docs &&
      describe(() => ({
        description: `Gets whether the password of the current user is enough to sign in, or also requires a passkey. The other fields are
for the Signal API of browsers (WebAuthn Level 3, section 5.1.10): \`PublicKeyCredential.signalAllAcceptedCredentials\` has password
managers forget passkeys that were removed here.`,
        parameters: {},
        responses: { 200: [{ summary: 'A passkey that is required', value: exampleOf(OwnPasskeySettings) }] },
      })),
  }),
  updatePasskeySettings: defineOperation({
    id: 'update_passkey_settings',
    group: 'passkeys',
    method: 'PUT',
    path: '/api/2/users/me/passkeys/settings',
    access: bySession,
    summary: "Set whether the caller's password also requires a passkey",
    body: PasskeySettings,
    responses: { 200: docs && PasskeySettings },
    errors: ['conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['passkey.second_factor_changed'],
    text:
      docs &&
      describe(() => ({
        description: `Sets whether the password of the current user also requires a passkey. The user needs a spare factor, so that one lost
device does not lock them out: two passkeys, or a passkey and an authenticator app. Otherwise the response is 409 with the
reason \`spare_factor_required\`.

Turning it on ends all other sessions of the user. The user gets an email about each change.`,
        parameters: {},
        request: [
          { summary: 'Require a passkey', value: { required_with_password: true } },
          { summary: 'Require the password only', value: { required_with_password: false } },
        ],
        responses: { 200: [{ summary: 'The new setting', value: { required_with_password: true } }] },
      })),
  }),
  getUserPasskeys: defineOperation({
    id: 'get_user_passkeys',
    group: 'passkeys',
    method: 'GET',
    path: '/api/2/users/{id}/passkeys',
    access: withPermission('users:manage'),
    summary: 'List the passkeys of a user',
    query: listQuery,
    responses: { 200: docs && z.array(Passkey) },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description:
          'Lists the passkeys of a user, such as to help them after they lost a device. Remove one with `delete_user_passkey`.',
        parameters: { id: { description: 'The ID of the user.', example: 7 } },
        responses: { 200: [{ summary: 'Passkeys', value: [exampleOf(Passkey)] }] },
      })),
  }),
  deleteUserPasskey: defineOperation({
    id: 'delete_user_passkey',
    group: 'passkeys',
    method: 'DELETE',
    path: '/api/2/users/{id}/passkeys/{passkey_id}',
    access: withPermissionBySession('users:manage'),
    summary: 'Remove a passkey of a user and end their sessions',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['passkey.removed'],
    text:
      docs &&
      describe(() => ({
        description: `Removes a passkey of another user and ends all of their sessions. The user gets an email about it.`,
        parameters: {
          id: { description: 'The ID of the user.', example: 7 },
          passkey_id: {
            description: 'The ID of the passkey, from `get_user_passkeys`.',
            example: exampleIds.passkey,
          },
        },
      })),
  }),
  ...passkeysSignIn,
}
