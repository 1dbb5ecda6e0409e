import * as z from 'zod/mini'
import { anyone, anyoneOrKnown } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { anyText } from '../../kernel/contract/fields.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { keySetMaxAgeMs, oauthCodeMs, oauthInteractionMs } from '../../kernel/limits/limits.ts'
import { describeDuration } from '../../kernel/util/time.ts'
import { authorizationFields, logoutFields } from './field-texts.models.ts'
import {
  AuthorizationRequest,
  ConsentAnswer,
  LogoutConfirmation,
  LogoutRequest,
  OAuthError,
  TokenRequest,
  TokenResponse,
} from './flow.models.ts'
import { ProviderMetadata } from './metadata.models.ts'

/** A request becomes a URL, and API Gateway accepts 10,240 bytes of headers. */
const redirectedFormBytes = 6 * 1024
const metadataDescription =
  docs &&
  `Libraries read it and need no other setting than the address of this service. Clients may keep the
response for ${describeDuration(keySetMaxAgeMs)}. It has an \`ETag\`, and answers \`If-None-Match\` with 304.`

/** What operations write and count that begin or resume an authorization. */
const authorizationStart = {
  audit: ['oidc_client.described', 'oidc_client.changed', 'oidc_client.authorized'],
  limits: [
    'authorizationStarts',
    'knownBrowserUses',
    'clientDocuments',
    'clientDocumentsPerRequester',
    'clientDocumentRenewals',
    'authorizationsPerSession',
  ],
} as const

/** The endpoints that OpenID Connect defines. */
export const providerEndpoints = {
  getOpenidConfiguration: defineOperation({
    id: 'get_openid_configuration',
    group: 'oidc',
    method: 'GET',
    path: '/.well-known/openid-configuration',
    access: anyone,
    summary: 'Get the metadata of the OpenID provider',
    responses: { 200: docs && ProviderMetadata, 304: null },
    ignoresAccept: true,
    readableFrom: 'every_origin',
    text:
      docs &&
      describe(() => ({
        description: `Returns where the endpoints are and what they support (OpenID Connect Discovery 4). ${metadataDescription}`,
        parameters: {},
        responses: { 200: [{ summary: 'The endpoints', value: exampleOf(ProviderMetadata) }] },
      })),
  }),
  getAuthorizationServerMetadata: defineOperation({
    id: 'get_authorization_server_metadata',
    group: 'oidc',
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    access: anyone,
    summary: 'Get the metadata of the OAuth authorization server',
    responses: { 200: docs && ProviderMetadata, 304: null },
    ignoresAccept: true,
    readableFrom: 'every_origin',
    text:
      docs &&
      describe(() => ({
        description: `Returns the same as \`get_openid_configuration\`, at the path of RFC 8414. ${metadataDescription}`,
        parameters: {},
        responses: { 200: [{ summary: 'The endpoints', value: exampleOf(ProviderMetadata) }] },
      })),
  }),
  startAuthorization: defineOperation({
    id: 'start_authorization',
    group: 'oidc',
    method: 'GET',
    path: '/oauth2/authorize',
    access: anyoneOrKnown,
    allowsOrganizationSession: true,
    summary: 'Sign a user in for a client, and redirect to the client with a code',
    query: AuthorizationRequest,
    // 200 is a page that sends the answer to the client by POST, for `response_mode=form_post`.
    responses: { 200: 'text/html', 303: null },
    errors: ['too_many_requests'],
    ignoresAccept: true,
    isFlowStep: true,
    readableFrom: 'no_other_origin',
    ...authorizationStart,
    text:
      docs &&
      describe(() => ({
        description: `Clients send browsers here to sign a user in. A user who is signed in comes back at once. Otherwise they see the sign-in page
first and have ${describeDuration(oauthInteractionMs)} for it. There is no consent page, because administrators register the clients.

The browser goes to \`redirect_uri\` with \`code\`, \`state\` and \`iss\` (RFC 9207), or with \`error\`. The code works once, for
${describeDuration(oauthCodeMs)}. PKCE with \`S256\` is required for all clients. If the client or its address is not known, the user sees an
error page instead.`,
        parameters: authorizationFields,
      })),
  }),
  startAuthorizationByForm: defineOperation({
    id: 'start_authorization_by_form',
    group: 'oidc',
    method: 'POST',
    path: '/oauth2/authorize',
    access: anyone,
    summary: 'Redirect a posted authorization to the same one by GET',
    body: AuthorizationRequest,
    bodyType: 'form',
    bodyLimitBytes: redirectedFormBytes,
    responses: { 303: null },
    readableFrom: 'no_other_origin',
    ...authorizationStart,
    text:
      docs &&
      describe(() => ({
        description: `Redirects to \`start_authorization\` with the same parameters. Browsers send the session cookie with the redirect, but not with a form of
another site.`,
        parameters: {},
        request: [{ summary: 'An authorization', value: exampleOf(AuthorizationRequest) }],
      })),
  }),
  resumeAuthorization: defineOperation({
    id: 'resume_authorization',
    group: 'oidc',
    method: 'GET',
    path: '/oauth2/interaction/{uid}',
    access: anyoneOrKnown,
    allowsOrganizationSession: true,
    summary: 'Complete an authorization after its user has signed in',
    query: z.strictObject({ id: z.optional(anyText) }),
    responses: { 200: 'text/html', 303: null },
    errors: ['too_many_requests'],
    ignoresAccept: true,
    isFlowStep: true,
    readableFrom: 'no_other_origin',
    ...authorizationStart,
    text:
      docs &&
      describe(() => ({
        description: `The sign-in page leads here. The browser goes on to the client, as described for \`start_authorization\`. Only the browser that started
the authorization can complete it, and only once. If the sign-in is not enough, for example for \`prompt=login\`, the browser
goes back to the sign-in page. It also does if another authorization has taken the place of the one in \`id\`. For a native app, and
for a client that no administrator registered, a page asks the user first: see \`answer_consent\`. If another user than that of \`id_token_hint\` signed in, the client gets \`login_required\`.`,
        parameters: {
          uid: 'The place of the authorization in the browser, from the URL of the sign-in page.',
          id: 'The authorization itself, from the same URL.',
        },
      })),
  }),
  answerConsent: defineOperation({
    id: 'answer_consent',
    group: 'oidc',
    method: 'POST',
    path: '/oauth2/interaction/{uid}',
    access: anyoneOrKnown,
    allowsOrganizationSession: true,
    summary: 'Complete an authorization that its user has to agree to, or refuse it',
    body: ConsentAnswer,
    bodyType: 'form',
    responses: { 200: 'text/html', 303: null },
    errors: ['too_many_requests'],
    ignoresAccept: true,
    readableFrom: 'no_other_origin',
    audit: authorizationStart.audit,
    limits: [
      'authorizationsPerSession',
      'clientDocuments',
      'clientDocumentsPerRequester',
      'clientDocumentRenewals',
    ],
    text:
      docs &&
      describe(() => ({
        description: `The page of \`resume_authorization\` sends this form for a native app, and for a client that is named by the address of its document. The
browser goes on to the client, with a code or with \`access_denied\`. Only the browser that started the authorization can send it, and only from a page of this service.
If the authorization, the user or anything else on the page has changed since, nothing is decided, and the page comes again.`,
        parameters: { uid: 'The place of the authorization in the browser, from the URL of the page.' },
        request: [{ summary: 'A client that gets access', value: exampleOf(ConsentAnswer) }],
      })),
  }),
  issueTokens: defineOperation({
    id: 'issue_tokens',
    group: 'oidc',
    method: 'POST',
    path: '/oauth2/token',
    access: anyone,
    summary: 'Exchange a code or a refresh token for tokens',
    body: TokenRequest,
    bodyType: 'form',
    responses: { 200: docs && TokenResponse, 400: docs && OAuthError, 401: docs && OAuthError },
    errors: ['too_many_requests'],
    errorFormat: 'oauth',
    ignoresAccept: true,
    readableFrom: 'origins_of_client',
    audit: [
      'oidc_client.authorized',
      'oidc_client.changed',
      'oidc_client.token_issued',
      'oidc_client.token_reused',
      'hook.failed',
    ],
    limits: [
      'authorizationsPerSession',
      'lookUpFailures',
      'machineTokensPerClient',
      'clientDocumentRenewals',
    ],
    text:
      docs &&
      describe(() => ({
        description: `Gives a client the tokens of a user (RFC 6749 4.1.3 and 6, RFC 8628 3.4). Confidential clients send their secret in the \`Authorization\`
header (\`Basic\`) or in the form. Public clients send \`client_id\` alone.

The access token is a JWT with the claims of \`create_jwt\` and \`scope\`. It is for the \`resource\` of the authorization, or else for
userinfo alone, without groups and permissions. All tokens end with the session of the user at the latest.
After the session has ended, the user was disabled, or the password was changed, there are no new tokens.

A code and a refresh token work once. If one is used again, somebody else may have it, so all tokens of the authorization end.
Send the user to \`start_authorization\` again: a user who is still signed in comes back at once.

A refresh with \`organization\` gives tokens for another organization of the user. Those of the one before go on working.

A device that waits for its user gets \`authorization_pending\`, or \`slow_down\` if it asks too often. It gets \`access_denied\` if
the user refused, and \`expired_token\` when its codes have expired.`,
        parameters: {},
        request: [{ summary: 'A code', value: exampleOf(TokenRequest) }],
        responses: {
          200: [{ summary: 'Tokens', value: exampleOf(TokenResponse) }],
          400: [{ summary: 'A code that was used', value: exampleOf(OAuthError) }],
          401: [
            {
              summary: 'A wrong secret',
              value: { error: 'invalid_client', error_description: 'client authentication failed' },
            },
          ],
        },
      })),
  }),
  logoutForClient: defineOperation({
    id: 'logout_for_client',
    group: 'oidc',
    method: 'GET',
    path: '/oauth2/logout',
    access: anyoneOrKnown,
    allowsOrganizationSession: true,
    summary: 'Sign the user of a client out, or ask them first',
    query: LogoutRequest,
    responses: { 200: 'text/html', 303: null },
    ignoresAccept: true,
    isFlowStep: true,
    endsSession: 'session',
    allowsSetupSession: true,
    audit: ['logout.succeeded'],
    text:
      docs &&
      describe(() => ({
        description: `Ends the session of the user, for all clients (OpenID Connect RP-Initiated Logout). Without an ID token of the session,
the user is asked first, so that no other site can sign them out.`,
        parameters: logoutFields,
      })),
  }),
  logoutForClientByForm: defineOperation({
    id: 'logout_for_client_by_form',
    group: 'oidc',
    method: 'POST',
    path: '/oauth2/logout',
    access: anyone,
    summary: 'Redirect a posted logout to the same one by GET',
    body: LogoutRequest,
    bodyType: 'form',
    bodyLimitBytes: redirectedFormBytes,
    responses: { 303: null },
    audit: ['logout.succeeded'],
    text:
      docs &&
      describe(() => ({
        description:
          'Redirects to `logout_for_client` with the same parameters, so that browsers send the session cookie.',
        parameters: {},
        request: [{ summary: 'A logout', value: exampleOf(LogoutRequest) }],
      })),
  }),
  confirmLogoutForClient: defineOperation({
    id: 'confirm_logout_for_client',
    group: 'oidc',
    method: 'POST',
    path: '/oauth2/logout/confirm',
    access: anyoneOrKnown,
    allowsOrganizationSession: true,
    summary: 'Sign out after the page that asks for it',
    body: LogoutConfirmation,
    bodyType: 'form',
    responses: { 200: 'text/html', 303: null },
    ignoresAccept: true,
    endsSession: 'session',
    allowsSetupSession: true,
    audit: ['logout.succeeded'],
    text:
      docs &&
      describe(() => ({
        description: `Ends the session after the page of \`logout_for_client\` has asked. Only that page can send the form. If another user has
signed in since, the page comes again.`,
        parameters: {},
        request: [{ summary: 'The form of the page', value: exampleOf(LogoutConfirmation) }],
      })),
  }),
}
