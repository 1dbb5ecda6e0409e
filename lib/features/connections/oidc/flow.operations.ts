import * as z from 'zod/mini'
import { anyone, anyoneOrKnown } from '../../../kernel/contract/access.ts'
import { providerAnswerEvents } from '../../../kernel/contract/audit-events.ts'
import { describe, exampleOf } from '../../../kernel/contract/describe.ts'
import { defineOperation } from '../../../kernel/contract/operation.ts'
import { queryText } from '../../../kernel/contract/query.ts'
import {
  appleNotificationMaxAgeMs,
  providerLogoutMaxAgeMs,
  signInRequestMs,
} from '../../../kernel/limits/connection-limits.ts'
import { describeDuration } from '../../../kernel/util/time.ts'
import { OAuthError } from '../../oauth/flow.models.ts'
import { RevocationResult } from '../../oauth/tokens.models.ts'
import { returnParameter, startParameters, startQuery } from '../start.models.ts'
import { AppleNotification, OIDCAnswerForm, OIDCAnswerQuery, UpstreamLogoutRequest } from './models.ts'

const idDescription =
  docs && ({ description: 'The ID of the OpenID Connect connection.', example: 3 } as const)

/** What an answer of an identity provider leads to, in any of its forms. */
const answer = {
  group: 'connection-flow',
  tag: 'oidc-connections',
  path: '/api/2/auth/oidc-connections/{id}/callback',
  access: anyone,
  responses: { 303: null },
  errors: [
    ...(['not_found', 'not_authenticated', 'permission_denied', 'login_failed'] as const),
    ...(['login_incomplete', 'conflict', 'too_many_requests', 'upstream_failed'] as const),
  ],
  audit: providerAnswerEvents,
  limits: [
    'refusedAnswers',
    'signUpsPerAddress',
    'providerSignUpsPerNetwork',
    'knownBrowserUses',
    'hookNotices',
    'refusedSignUps',
  ],
  decidesSignIn: 'connection',
  localChange: 'by_connection',
} as const

/*
 * The sign-in through an OpenID Connect connection. It belongs to the function of SAML sign-ins, because both find and create users by the
 * same rules, with the same rights.
 */
export const oidcFlow = {
  startOidcSignIn: defineOperation({
    id: 'start_oidc_sign_in',
    group: 'connection-flow',
    tag: 'oidc-connections',
    method: 'GET',
    path: '/api/2/auth/oidc-connections/{id}/start',
    // A signed-in user can link their account at the provider to their user.
    access: anyoneOrKnown,
    summary: 'Redirect the browser to an identity provider to sign in over OpenID Connect',
    query: startQuery,
    responses: { 303: null },
    errors: ['not_found', 'not_authenticated', 'permission_denied', 'too_many_requests', 'upstream_failed'],
    isFlowStep: true,
    allowsOrganizationSession: true,
    limits: ['samlStarts', 'knownBrowserUses'],
    text:
      docs &&
      describe(() => ({
        description: `Starts a sign-in through an OpenID Connect connection. Send the browser of the user here by a link or a redirect, not by a script.
After the sign-in there, it comes back to \`return_to\` with a session cookie of the service. A page of an allowed origin gets a one-time
ticket as well.

The user has ${describeDuration(signInRequestMs)} to sign in.`,
        parameters: {
          id: idDescription,
          ...startParameters,
          force_authn: {
            description:
              'With `true`, the identity provider must ask the user to sign in again (`prompt=login` and `max_age=0`). The service also does so itself where it needs a new proof, as with SAML.',
            example: 'true',
          },
          test: {
            description:
              'With `true`, the answer is only checked, and no one is signed in. It needs the session of an administrator, and a link on a page of the service. The result is at `get_connection_test_result`, with the ID of the connection.',
            example: 'true',
          },
        },
      })),
  }),
  receiveOidcAnswer: defineOperation({
    ...answer,
    id: 'receive_oidc_answer',
    method: 'GET',
    summary: 'Receive the answer of an identity provider over OpenID Connect',
    query: OIDCAnswerQuery,
    isFlowStep: true,
    text:
      docs &&
      describe(() => ({
        description: `Receives the answer of the identity provider, which the browser of the user brings. You do not call it: register it as the redirect
URI at the identity provider.

The service accepts an answer once, for a sign-in that it started in the same browser. It exchanges the code, validates the ID token,
finds or creates the user, opens a session, and redirects the browser to \`return_from_oidc_sign_in\`. If another user is signed in in this
browser, it redirects to \`show_sign_in_question\` instead, and changes nothing before the answer. It does so, too, for the first sign-in
at a public provider with \`first_sign_in\` \`ask\`, and for users of one who have a second factor. Browsers get a page about errors instead
of a problem body.`,
        parameters: {
          id: idDescription,
          code: {
            description: 'The code that the service exchanges for an ID token.',
            example: 'ExampleCode',
          },
          state: {
            description: 'The value that the service sent with its request. It names the sign-in.',
            example: 'ExampleState',
          },
          iss: {
            description: 'The issuer of the answer (RFC 9207).',
            example: 'https://accounts.google.com',
          },
          error: {
            description: 'Why the identity provider did not sign the user in.',
            example: 'access_denied',
          },
        },
      })),
  }),
  receiveOidcAnswerByForm: defineOperation({
    ...answer,
    id: 'receive_oidc_answer_by_form',
    method: 'POST',
    summary: 'Receive the answer of Apple, which the browser posts',
    body: OIDCAnswerForm,
    bodyType: 'form',
    text:
      docs &&
      describe(() => ({
        description: `Does what \`receive_oidc_answer\` does, for an answer that the browser of the user posts as a form. Only a connection for Apple accepts
one, and it accepts no other. You do not call it.

The browser sends the cookie of the sign-in with this form, although it comes from another site. So nobody can post an answer of
their own in it.`,
        parameters: { id: idDescription },
        request: [{ summary: 'The first sign-in of a person', value: exampleOf(OIDCAnswerForm) }],
      })),
  }),
  returnFromOidcSignIn: defineOperation({
    id: 'return_from_oidc_sign_in',
    group: 'connection-flow',
    tag: 'oidc-connections',
    method: 'GET',
    path: '/api/2/auth/oidc-connections/{id}/return',
    access: anyoneOrKnown,
    allowsOrganizationSession: true,
    summary: 'Redirect the browser back after a sign-in through OpenID Connect',
    query: z.strictObject({ flow: z.optional(queryText) }),
    responses: { 303: null },
    errors: ['not_authenticated', 'too_many_requests'],
    isFlowStep: true,
    audit: ['ticket.created'],
    text:
      docs &&
      describe(() => ({
        description: `Ends a sign-in through an OpenID Connect connection: redirects the browser to the page that \`start_oidc_sign_in\` named, with a ticket
if that page belongs to an allowed origin. You do not call it.`,
        parameters: {
          id: idDescription,
          flow: returnParameter,
        },
      })),
  }),
  receiveAppleNotification: defineOperation({
    id: 'receive_apple_notification',
    group: 'connection-flow',
    tag: 'oidc-connections',
    method: 'POST',
    path: '/api/2/auth/oidc-connections/{id}/apple-notifications',
    access: anyone,
    summary: 'Receive a notification of Apple about an account there',
    body: AppleNotification,
    bodyLimitBytes: 16_384,
    // Apple sends a notification again after any other status.
    responses: { 200: docs && RevocationResult },
    errors: ['not_found', 'invalid_token', 'too_many_requests', 'upstream_failed'],
    ignoresAccept: true,
    audit: ['session.ended', 'company_account.notified'],
    limits: ['upstreamLogouts'],
    text:
      docs &&
      describe(() => ({
        description: `Receives a server-to-server notification of Apple. You do not call it: register it at Apple, as the endpoint of the identifier
that "Sign in with Apple" is turned on for. Only a connection for Apple has it.

If the person withdrew their consent (\`consent-revoked\`) or deleted their account at Apple (\`account-delete\`), it ends the sessions that
this account opened here before, and deletes the refresh token that was kept for it. The account here stays, with its other ways to sign
in. \`email-disabled\` and \`email-enabled\` only get an audit event: the address stays.

A notification is valid for ${describeDuration(appleNotificationMaxAgeMs)}, and counts once. The response is the same for an account that is connected to
nobody here, for other types, and for a repetition.`,
        parameters: { id: idDescription },
        request: [{ summary: 'A notification', value: exampleOf(AppleNotification) }],
        responses: { 200: [{ summary: 'The notification counts', value: {} }] },
      })),
  }),
  receiveUpstreamLogout: defineOperation({
    id: 'receive_upstream_logout',
    group: 'connection-flow',
    tag: 'oidc-connections',
    method: 'POST',
    path: '/api/2/auth/oidc-connections/{id}/backchannel-logout',
    access: anyone,
    summary: 'Receive a sign-out of an identity provider over OpenID Connect',
    body: UpstreamLogoutRequest,
    bodyType: 'form',
    // The body has no meaning (Back-Channel Logout 2.8).
    responses: { 200: docs && RevocationResult, 400: docs && OAuthError },
    errors: ['not_found', 'too_many_requests', 'upstream_failed'],
    errorFormat: 'oauth',
    ignoresAccept: true,
    audit: ['session.ended', 'saml_logout.received'],
    limits: ['upstreamLogouts'],
    text:
      docs &&
      describe(() => ({
        description: `Receives a logout token of the identity provider (OpenID Connect Back-Channel Logout 1.0). You do not call it: register it as the
back-channel logout URI at the identity provider.

The token ends the sessions of its \`sub\`, of its \`sid\`, or of both, that this connection opened before the token was issued. It is
valid for ${describeDuration(providerLogoutMaxAgeMs)}. A repeated token ends no session that began after it first arrived.`,
        parameters: { id: idDescription },
        request: [{ summary: 'A logout token', value: exampleOf(UpstreamLogoutRequest) }],
        responses: { 200: [{ summary: 'The sessions have ended', value: {} }] },
      })),
  }),
}
