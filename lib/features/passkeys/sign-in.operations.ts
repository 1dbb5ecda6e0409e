import { exampleCredentials } from '../../accounts/example-values.models.ts'
import { anyone, bySession } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { secondFactorTokenLifetimeMs } from '../../kernel/limits/limits.ts'
import { passkeyChallengeMs } from '../../kernel/settings/passkey-settings.ts'
import { describeDuration } from '../../kernel/util/time.ts'
import { AuthLoginEndpointResponse } from '../sign-in/models.ts'
import {
  PasskeyLoginRequest,
  PasskeyReauthenticationRequest,
  StartPasskeyLoginRequest,
  UsedPasskeyCredential,
} from './models.ts'
import { PasskeyRequestOptions } from './options.models.ts'

const answerTimeDescription = docs && describeDuration(passkeyChallengeMs)
const tokenTimeDescription = docs && describeDuration(secondFactorTokenLifetimeMs)
const exampleCredential = docs && exampleOf(UsedPasskeyCredential)

/** Signing in, and proving the identity again, with a passkey. */
export const passkeysSignIn = {
  startPasskeyLogin: defineOperation({
    id: 'start_passkey_login',
    group: 'passkeys',
    method: 'POST',
    path: '/api/2/auth/passkeys/options',
    access: anyone,
    acceptsProduct: true,
    summary: 'Get the options for a browser to sign in with a passkey',
    body: StartPasskeyLoginRequest,
    responses: { 200: docs && PasskeyRequestOptions },
    errors: ['login_failed', 'too_many_requests'],
    audit: ['login.failed'],
    limits: ['lookUpFailures', 'passkeyChallenges', 'knownBrowserUses'],
    text:
      docs &&
      describe(() => ({
        description: `Returns the options with which a browser uses a passkey. Pass them to \`navigator.credentials.get\`, then send its result
to \`login_with_passkey\` within ${answerTimeDescription}. No username is needed: the browser lets the user choose.

After a \`login\` with the reason \`passkey_required\`, send its \`second_factor_token\`. The options then name the passkeys of
this user. The token works for ${tokenTimeDescription} and from the same network.`,
        parameters: {},
        request: [
          { summary: 'Sign in with a passkey alone', value: {} },
          {
            summary: 'Continue after the password',
            value: { second_factor_token: exampleCredentials.secondFactorToken },
          },
        ],
        responses: { 200: [{ summary: 'Options for the browser', value: exampleOf(PasskeyRequestOptions) }] },
      })),
  }),
  loginWithPasskey: defineOperation({
    id: 'login_with_passkey',
    group: 'passkeys',
    method: 'POST',
    path: '/api/2/auth/passkeys/login',
    access: anyone,
    acceptsProduct: true,
    summary: 'Sign in with a passkey, alone or after the password',
    body: PasskeyLoginRequest,
    responses: { 200: docs && AuthLoginEndpointResponse },
    errors: ['login_failed', 'login_incomplete', 'conflict', 'too_many_requests'],
    audit: [
      'login.succeeded',
      'password.changed',
      'remembered_device.created',
      'login.failed',
      'passkey.cloned',
      'hook.failed',
      'hook.bypassed',
    ],
    limits: ['lookUpFailures', 'hookNotices'],
    text:
      docs &&
      describe(() => ({
        description: `Signs a user in with a passkey and opens a session, like \`login\`. \`credential\` is the result of
\`navigator.credentials.get\`, converted with \`credential.toJSON()\`. A passkey alone counts as two factors, so it must
verify the user, such as by a fingerprint or PIN.

A refused passkey is a 401 \`login_failed\`. With the reason \`passkey_invalid\`, start again with new options. With
\`passkey_unknown\`, the passkey was removed from the account. With \`user_verification_required\`, sign in with the password.`,
        parameters: {},
        request: [
          { summary: 'A passkey alone', value: { credential: exampleCredential } },
          {
            summary: 'A passkey after the password',
            value: {
              credential: exampleCredential,
              second_factor_token: exampleCredentials.secondFactorToken,
            },
          },
        ],
        responses: { 200: [{ summary: 'A session of a user', value: exampleOf(AuthLoginEndpointResponse) }] },
      })),
  }),
  startPasskeyReauthentication: defineOperation({
    id: 'start_passkey_reauthentication',
    group: 'passkeys',
    method: 'POST',
    path: '/api/2/auth/passkeys/reauthenticate/options',
    access: bySession,
    summary: "Get the options for a browser to confirm the current user's identity",
    responses: { 200: docs && PasskeyRequestOptions },
    errors: ['too_many_requests'],
    notWhileImpersonating: true,
    limits: ['passkeyChallenges', 'knownBrowserUses'],
    text:
      docs &&
      describe(() => ({
        description: `Returns the options with which the current user confirms their identity with a passkey. Pass them to
\`navigator.credentials.get\`, then send its result to \`reauthenticate_with_passkey\` within ${answerTimeDescription} and in the same
session.`,
        parameters: {},
        responses: { 200: [{ summary: 'Options for the browser', value: exampleOf(PasskeyRequestOptions) }] },
      })),
  }),
  reauthenticateWithPasskey: defineOperation({
    id: 'reauthenticate_with_passkey',
    group: 'passkeys',
    method: 'POST',
    path: '/api/2/auth/passkeys/reauthenticate',
    access: bySession,
    summary: "Confirm the current user's identity with a passkey",
    body: PasskeyReauthenticationRequest,
    responses: { 204: null },
    errors: ['login_failed', 'login_incomplete', 'conflict', 'too_many_requests'],
    notWhileImpersonating: true,
    audit: ['session.reauthenticated', 'login.failed', 'passkey.cloned'],
    limits: ['lookUpFailures'],
    text:
      docs &&
      describe(() => ({
        description: `Confirms the identity of the current user with a passkey, like \`confirm_identity\` does with the password. Call it when
another operation answered 403 with the reason \`reauthentication_required\`, then repeat that operation. The passkey must
verify the user. A user whose company requires its own sign-in gets 403 \`login_incomplete\` with the reason \`sso_required\`, as at the
sign-in.`,
        parameters: {},
        request: [{ summary: 'A passkey', value: { credential: exampleCredential } }],
      })),
  }),
}
