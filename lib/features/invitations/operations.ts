import { exampleCredentials, exampleNewPassword, newPasskey } from '../../accounts/example-values.models.ts'
import { anyone } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { invitationLifetimeMs } from '../../kernel/limits/limits.ts'
import { describeDuration } from '../../kernel/util/time.ts'
import { joining } from '../organizations/join.operations.ts'
import { PasskeyCreationOptions } from '../passkeys/options.models.ts'
import { AuthLoginEndpointResponse } from '../sign-in/models.ts'
import {
  AcceptInvitationRequest,
  AcceptInvitationWithPasskeyRequest,
  Invitation,
  InvitationToken,
} from './models.ts'
import { signUp } from './sign-up.operations.ts'

const exampleToken = docs && exampleCredentials.invitation

const exampleSignedIn = docs && [
  { summary: 'A session of the invited user', value: exampleOf(AuthLoginEndpointResponse) },
]

export const invitations = {
  findInvitation: defineOperation({
    id: 'find_invitation',
    group: 'invitations',
    method: 'POST',
    path: '/api/2/auth/invitation',
    access: anyone,
    summary: 'Look up an invitation by the token of its link, without using it',
    body: InvitationToken,
    responses: { 200: docs && Invitation },
    errors: ['invalid_token', 'too_many_requests'],
    audit: ['invitation.refused'],
    limits: ['lookUpFailures'],
    text:
      docs &&
      describe(() => ({
        description: `Looks up an invitation by the token of its link, without using it. It shows who invited whom, and how the user can accept:
with a password, a passkey, or the account of their company. Mail scanners that open links use nothing, because the page
sends the token by a script.

A token works for ${describeDuration(invitationLifetimeMs)}. An unknown, used, revoked or expired one is a 400 \`invalid_token\`.`,
        parameters: {},
        request: [{ summary: 'The token of a link', value: { token: exampleToken } }],
        responses: { 200: [{ summary: 'An invitation', value: exampleOf(Invitation) }] },
      })),
  }),
  acceptInvitation: defineOperation({
    id: 'accept_invitation',
    group: 'invitations',
    method: 'POST',
    path: '/api/2/auth/invitation/accept',
    access: anyone,
    summary: 'Accept an invitation with a first password, and sign in',
    body: AcceptInvitationRequest,
    responses: { 200: docs && AuthLoginEndpointResponse },
    errors: [
      'invalid_token',
      'login_incomplete',
      'password_rejected',
      'permission_denied',
      'conflict',
      'too_many_requests',
    ],
    audit: [
      'login.succeeded',
      'email.claim_ended',
      'user.renamed',
      'invitation.accepted',
      'invitation.refused',
      'login.failed',
      'hook.failed',
      'hook.bypassed',
    ],
    limits: ['lookUpFailures', 'hookNotices'],
    text:
      docs &&
      describe(() => ({
        description: `Sets the first password of an invited user, confirms their email address, and signs them in, like \`login\`. The invitation is
used. A password that the policy rejects uses nothing: send another one.

If the sign-in policy requires a second factor at once, the response is a 403 with the reason \`second_factor_setup_required\`.
Send the same again with \`second_factor_setup\`, then turn a second factor on.`,
        parameters: {},
        request: [
          { summary: 'A first password', value: { token: exampleToken, password: exampleNewPassword } },
        ],
        responses: { 200: docs && exampleSignedIn },
      })),
  }),
  startInvitationPasskey: defineOperation({
    id: 'start_invitation_passkey',
    group: 'invitations',
    method: 'POST',
    path: '/api/2/auth/invitation/passkey/options',
    access: anyone,
    summary: 'Get the options for a browser to create the first passkey of an invited user',
    body: InvitationToken,
    responses: { 200: docs && PasskeyCreationOptions },
    errors: ['invalid_token', 'permission_denied', 'too_many_requests'],
    audit: ['invitation.refused'],
    limits: ['lookUpFailures', 'passkeyChallenges', 'knownBrowserUses'],
    text:
      docs &&
      describe(() => ({
        description: `Returns the options with which a browser creates the first passkey of an invited user. Pass them to
\`navigator.credentials.create\`, then send its result to \`accept_invitation_with_passkey\` within 5 minutes.`,
        parameters: {},
        request: [{ summary: 'The token of a link', value: { token: exampleToken } }],
        responses: {
          200: [{ summary: 'Options for the browser', value: exampleOf(PasskeyCreationOptions) }],
        },
      })),
  }),
  acceptInvitationWithPasskey: defineOperation({
    id: 'accept_invitation_with_passkey',
    group: 'invitations',
    method: 'POST',
    path: '/api/2/auth/invitation/passkey',
    access: anyone,
    summary: 'Accept an invitation with a first passkey, and sign in',
    body: AcceptInvitationWithPasskeyRequest,
    responses: { 200: docs && AuthLoginEndpointResponse },
    errors: ['invalid_token', 'login_incomplete', 'permission_denied', 'conflict', 'too_many_requests'],
    audit: [
      'login.succeeded',
      'email.claim_ended',
      'user.renamed',
      'passkey.added',
      'invitation.accepted',
      'invitation.refused',
      'login.failed',
      'hook.failed',
      'hook.bypassed',
    ],
    limits: ['lookUpFailures', 'hookNotices'],
    text:
      docs &&
      describe(() => ({
        description: `Gives an invited user their first passkey, confirms their email address, and signs them in, like \`login_with_passkey\`.
\`credential\` is the result of \`navigator.credentials.create\`, converted with \`credential.toJSON()\`. The passkey must verify
the user, because it signs in without a password. A refused passkey uses nothing.`,
        parameters: {},
        request: [
          {
            summary: 'A first passkey',
            value: { token: exampleToken, name: 'Laptop', credential: newPasskey },
          },
        ],
        responses: { 200: docs && exampleSignedIn },
      })),
  }),
  ...signUp,
  ...joining,
}
