import * as z from 'zod/mini'
import { adminWithScope, anyone, anyoneOrKnown } from '../../../kernel/contract/access.ts'
import { providerAnswerEvents } from '../../../kernel/contract/audit-events.ts'
import { describe, exampleOf } from '../../../kernel/contract/describe.ts'
import { defineOperation } from '../../../kernel/contract/operation.ts'
import { queryText } from '../../../kernel/contract/query.ts'
import { signInRequestMs, testResultMs } from '../../../kernel/limits/connection-limits.ts'
import { logoutMessageMaxAgeMs } from '../../../kernel/limits/saml-limits.ts'
import { describeDuration } from '../../../kernel/util/time.ts'
import { InvitationRedirect } from '../../invitations/models.ts'
import { ConnectionTestResult, SignInDiagnosis } from '../diagnosis.models.ts'
import { returnParameter, startParameters, startQuery } from '../start.models.ts'
import { DiagnoseSAMLResponseRequest, SAMLAssertionForm, SAMLLogoutQuery } from './messages.models.ts'
import { SAMLSetupTest, SAMLSetupToken } from './setup.models.ts'

const idDescription = docs && ({ description: 'The ID of the SAML provider.', example: 2 } as const)

/** A response without content, in base64. */
const exampleResponse =
  docs &&
  Buffer.from('<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_example"/>').toString(
    'base64',
  )

/** The start of a sign-in over SAML. */
export const samlStart = {
  getSamlServiceProviderMetadata: defineOperation({
    id: 'get_saml_service_provider_metadata',
    group: 'connection-flow',
    method: 'GET',
    path: '/api/2/auth/saml/{id}/metadata',
    access: anyone,
    summary: 'Get the service provider metadata for an identity provider',
    responses: { 200: 'application/samlmetadata+xml' },
    errors: ['not_found'],
    // Identity providers send various Accept headers, but all of them read this type.
    ignoresAccept: true,
    text:
      docs &&
      describe(() => ({
        description: `Returns the SAML metadata of the service for one identity provider: its URLs, its certificates, and the format of the name
ID. Give this URL to the administrator of the identity provider. During a rotation of the key, it has both certificates.`,
        parameters: { id: idDescription },
        responses: {
          200: [
            {
              summary: 'Metadata, shortened',
              value:
                '<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://auth.example.com/api/2/auth/saml/2/metadata">…</md:EntityDescriptor>',
            },
          ],
        },
      })),
  }),
  startSamlAuth: defineOperation({
    id: 'start_saml_auth',
    group: 'connection-flow',
    method: 'GET',
    path: '/api/2/auth/saml/{id}/sso',
    // A signed-in user can link their account at the provider to their user.
    access: anyoneOrKnown,
    summary: 'Redirect the browser to the identity provider to sign in',
    query: startQuery,
    responses: { 303: null },
    errors: ['not_found', 'not_authenticated', 'permission_denied', 'too_many_requests'],
    isFlowStep: true,
    allowsOrganizationSession: true,
    limits: ['samlStarts', 'knownBrowserUses'],
    text:
      docs &&
      describe(() => ({
        description: `Starts a sign-in through an identity provider. Send the browser of the user here by a link or a redirect, not by a script.
It is redirected to the identity provider. After the sign-in there, it comes back to \`return_to\` with a session cookie of
the service.

If \`return_to\` is a page of an allowed origin, its URL gets a one-time ticket as \`?ticket=\`. Your server exchanges it with
\`check_auth_ticket\`. The user has ${describeDuration(signInRequestMs)} to sign in.`,
        parameters: {
          id: idDescription,
          ...startParameters,
          force_authn: {
            description:
              'With `true`, the identity provider asks the user to sign in again. Use it to confirm the identity of a user who has no password here. The service also does so itself if the sign-in leads to an authorization that needs a new proof. It does the same for a user with an old session who returns to a page of the service.',
            example: 'true',
          },
          test: {
            description:
              'With `true`, the response is only checked, and no one is signed in. It needs the session of an administrator, and a link on a page of the service. The result is at `get_connection_test_result`.',
            example: 'true',
          },
        },
      })),
  }),
}

/** The end of a sign-in over SAML, and the tools with which people find out why one fails. */
export const samlAnswer = {
  receiveSamlAuthAssertion: defineOperation({
    id: 'receive_saml_auth_assertion',
    group: 'connection-flow',
    method: 'POST',
    path: '/api/2/auth/saml/{id}/assertion',
    access: anyone,
    summary: 'Receive the SAML response of the identity provider',
    body: SAMLAssertionForm,
    bodyType: 'form',
    bodyLimitBytes: 256 * 1024,
    responses: { 303: null },
    errors: [
      'not_found',
      'not_authenticated',
      'permission_denied',
      'login_failed',
      'login_incomplete',
      'conflict',
      'too_many_requests',
    ],
    localChange: 'by_connection',
    audit: providerAnswerEvents,
    limits: ['samlDecryptionFailures', 'refusedAnswers', 'hookNotices', 'refusedSignUps'],
    decidesSignIn: 'connection',
    text:
      docs &&
      describe(() => ({
        description: `Receives the response of the identity provider, which the browser of the user posts. You do not call it: register it as the
assertion consumer service (ACS) at the identity provider, best with the metadata of the service.

The service accepts a response once, for a sign-in that it started in the same browser. It finds or creates the user,
updates their groups, opens a session, and redirects the browser to \`return_from_saml_auth\`. If another user is signed in in this browser,
it redirects to \`show_sign_in_question\` instead, and changes nothing before the answer. A response to no request only
leads the browser to \`start_saml_auth\`, with \`RelayState\` as \`return_to\`. Browsers get a page about errors instead of a
problem body. To find out why responses are refused, use \`diagnose_saml_response\`.`,
        parameters: { id: idDescription },
        request: [
          {
            summary: 'A posted form',
            value: { SAMLResponse: exampleResponse, RelayState: '_4f1c2a9be0d3' },
          },
        ],
      })),
  }),
  returnFromSamlAuth: defineOperation({
    id: 'return_from_saml_auth',
    group: 'connection-flow',
    method: 'GET',
    path: '/api/2/auth/saml/{id}/sso/return',
    access: anyoneOrKnown,
    allowsOrganizationSession: true,
    summary: 'Redirect the browser back to the page where its sign-in started',
    query: z.strictObject({
      SAMLResponse: z.optional(z.never('is accepted only by POST to the assertion endpoint')),
      flow: z.optional(queryText),
    }),
    responses: { 303: null },
    errors: ['not_authenticated', 'too_many_requests'],
    isFlowStep: true,
    audit: ['ticket.created'],
    text:
      docs &&
      describe(() => ({
        description: `Ends a sign-in through an identity provider: redirects the browser to the page that \`start_saml_auth\` named, with a ticket
if that page belongs to an allowed origin. You do not call it. Without a sign-in in progress, it redirects to the start
page of the user or to the sign-in page.`,
        parameters: {
          id: idDescription,
          SAMLResponse:
            'Never accepted here. Identity providers must post their responses to the assertion URL.',
          flow: returnParameter,
        },
      })),
  }),
  diagnoseSamlResponse: defineOperation({
    id: 'diagnose_saml_response',
    group: 'connection-flow',
    method: 'POST',
    path: '/api/2/auth/saml/{id}/diagnose',
    access: adminWithScope('saml-providers:manage'),
    summary: 'Check a SAML response step by step without signing anyone in',
    body: DiagnoseSAMLResponseRequest,
    bodyLimitBytes: 256 * 1024,
    responses: { 200: docs && SignInDiagnosis },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description: `Checks a SAML response step by step, and reports the outcome of each step and what to change. No user signs in, and the
response stays usable. Copy \`SAMLResponse\` from the developer tools of the browser,
and \`RelayState\` too, so that the response is compared with its sign-in.`,
        parameters: { id: idDescription },
        request: [
          {
            summary: 'A response from the developer tools of a browser',
            value: { saml_response: exampleResponse, relay_state: '_4f1c2a9be0d3' },
          },
        ],
        responses: { 200: [{ summary: 'A response that was refused', value: exampleOf(SignInDiagnosis) }] },
      })),
  }),
  startSamlSetupTest: defineOperation({
    id: 'start_saml_setup_test',
    group: 'connection-flow',
    method: 'POST',
    path: '/api/2/auth/saml-setup/test',
    access: anyone,
    summary: 'Start a test sign-in with a set-up link',
    body: SAMLSetupToken,
    responses: { 200: docs && InvitationRedirect },
    errors: ['invalid_token', 'permission_denied', 'conflict', 'too_many_requests'],
    audit: ['saml_setup.link_refused'],
    limits: ['lookUpFailures', 'samlStarts'],
    text:
      docs &&
      describe(() => ({
        description: `Starts a sign-in that only tests a connection, for the holder of a set-up link. The page \`/setup\` sends the token, then opens the
URL of the response in the same browser. The browser comes back to that page with the ID of the test. No one is signed in.

Without metadata the response is 409 with the reason \`setup_incomplete\`. Pages of other sites cannot call it.`,
        parameters: {},
        request: [{ summary: 'The token of a link', value: exampleOf(SAMLSetupToken) }],
        responses: { 200: [{ summary: 'Where the browser goes', value: exampleOf(InvitationRedirect) }] },
      })),
  }),
  findSamlSetupTest: defineOperation({
    id: 'find_saml_setup_test',
    group: 'connection-flow',
    method: 'POST',
    path: '/api/2/auth/saml-setup/test-result',
    access: anyone,
    summary: 'Get what a test sign-in found with a set-up link',
    body: SAMLSetupTest,
    responses: { 200: docs && ConnectionTestResult },
    errors: ['invalid_token', 'permission_denied', 'not_found', 'too_many_requests'],
    audit: ['saml_setup.link_refused'],
    limits: ['lookUpFailures'],
    text:
      docs &&
      describe(() => ({
        description: `Returns what a test sign-in of the connection found, for the holder of a set-up link. It shows what the identity provider sent. It
says nothing about users here: \`user\` is null, and the check \`account\` is left out. The result stays for
${describeDuration(testResultMs)}.`,
        parameters: {},
        request: [{ summary: 'A test of the connection', value: exampleOf(SAMLSetupTest) }],
        responses: { 200: [{ summary: 'An accepted response', value: exampleOf(ConnectionTestResult) }] },
      })),
  }),
}

/** Single logout. */
export const samlLogout = {
  startSamlLogout: defineOperation({
    id: 'start_saml_logout',
    group: 'connection-flow',
    method: 'GET',
    path: '/api/2/auth/saml/{id}/sls',
    access: anyoneOrKnown,
    allowsOrganizationSession: true,
    summary: 'End the current session, then redirect to the identity provider for logout',
    responses: { 303: null },
    errors: ['not_found'],
    changesState: true,
    endsSession: 'session',
    audit: ['logout.succeeded'],
    text:
      docs &&
      describe(() => ({
        description: `Signs a user out here and at their identity provider. Send the browser of the user here by a link on a page of the service or
of an allowed origin. The session here ends first. Then the browser is redirected to the identity provider, or to the
sign-in page if the provider has no logout URL.`,
        parameters: { id: idDescription },
      })),
  }),
  returnFromSamlLogout: defineOperation({
    id: 'return_from_saml_logout',
    group: 'connection-flow',
    method: 'GET',
    path: '/api/2/auth/saml/{id}/sls/return',
    // A signed message ends sessions, so neither the credential nor the origin of the request counts.
    access: anyone,
    summary: 'Receive a logout request or logout response from the identity provider',
    query: SAMLLogoutQuery,
    responses: { 303: null },
    errors: ['not_found'],
    isFlowStep: true,
    audit: ['session.ended', 'saml_logout.received', 'saml_logout.answered'],
    text:
      docs &&
      describe(() => ({
        description: `Receives the logout messages of the identity provider, which the browser of the user brings. You do not call it: register it
as the single logout service at the identity provider, best with the metadata of the service.

A logout request ends the sessions that it names and is answered with a logout response. A logout response ends a logout
that the service started. Messages must be signed and at most ${describeDuration(logoutMessageMaxAgeMs)} old, and each counts once.`,
        parameters: {
          id: idDescription,
          SAMLRequest: 'A logout request: deflated XML in base64 (SAML Bindings 3.4).',
          SAMLResponse: 'The response to a logout request of the service, in the same form.',
          RelayState: 'A value of the identity provider, which the response repeats.',
          SigAlg: {
            description: 'The algorithm of the signature. SHA-1 is refused.',
            example: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
          },
          Signature: 'The signature over the other parameters, in base64.',
        },
      })),
  }),
}
