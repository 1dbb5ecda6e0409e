import { keySetMaxAgeMs, oidcCodeMs, oidcInteractionMs } from '../../../limits/limits.ts'
import { describeDuration } from '../../../util/describe-duration.ts'
import {
  AuthorizationRequest,
  LogoutConfirmation,
  LogoutRequest,
  OAuthError,
  ProviderMetadata,
  TokenRequest,
  TokenResponse,
} from '../../models/oidc-flow.ts'
import type { oidc } from '../../operations/oidc.ts'
import type { OperationTexts } from '../describe.ts'
import { exampleOf } from '../example-of.ts'
import { authorizationFields, logoutFields } from '../oidc-fields.ts'

const metadata = `Libraries read it and need no other setting than the address of this service. Clients may keep the
response for ${describeDuration(keySetMaxAgeMs)}. It has an \`ETag\`, and answers \`If-None-Match\` with 304.`

/** The texts of the endpoints that OpenID Connect defines. */
export const oidcProviderTexts = {
  getOpenidConfiguration: {
    description: `Returns where the endpoints are and what they support (OpenID Connect Discovery 4). ${metadata}`,
    parameters: {},
    responses: { 200: [{ summary: 'The endpoints', value: exampleOf(ProviderMetadata) }] },
  },
  getAuthorizationServerMetadata: {
    description: `Returns the same as \`get_openid_configuration\`, at the path of RFC 8414. ${metadata}`,
    parameters: {},
    responses: { 200: [{ summary: 'The endpoints', value: exampleOf(ProviderMetadata) }] },
  },
  startAuthorization: {
    description: `Clients send browsers here to sign a user in. A user who is signed in comes back at once. Otherwise they see the sign-in page
first and have ${describeDuration(oidcInteractionMs)} for it. There is no consent page, because administrators register the clients.

The browser goes to \`redirect_uri\` with \`code\`, \`state\` and \`iss\` (RFC 9207), or with \`error\`. The code works once, for
${describeDuration(oidcCodeMs)}. PKCE with \`S256\` is required for all clients. If the client or its address is not known, the user sees an
error page instead.`,
    parameters: authorizationFields,
  },
  startAuthorizationByForm: {
    description: `Redirects to \`start_authorization\` with the same parameters. Browsers send the session cookie with the redirect, but not with a form of
another site.`,
    parameters: {},
    request: [{ summary: 'An authorization', value: exampleOf(AuthorizationRequest) }],
  },
  resumeAuthorization: {
    description: `The sign-in page leads here. The browser goes on to the client, as described for \`start_authorization\`. Only the browser that started
the authorization can complete it, and only once. If the sign-in is not enough, for example for \`prompt=login\`, the browser
goes back to the sign-in page. If another user than that of \`id_token_hint\` signed in, the client gets \`login_required\`.`,
    parameters: { uid: 'The identifier of the authorization, from the URL of the sign-in page.' },
  },
  issueTokens: {
    description: `Gives a client the tokens of a user (RFC 6749 4.1.3 and 6). Confidential clients send their secret in the \`Authorization\`
header (\`Basic\`) or in the form. Public clients send \`client_id\` alone.

The access token is a JWT with the claims of \`create_jwt\` and \`scope\`. It is for the \`resource\` of the authorization, or else for
userinfo alone, without groups and permissions. All tokens end with the session of the user at the latest.
After the session has ended, the user was disabled, or the password was changed, there are no new tokens.

A code and a refresh token work once. If one is used again, somebody else may have it, so all tokens of the authorization end.
Send the user to \`start_authorization\` again: a user who is still signed in comes back at once.`,
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
  },
  logoutForClient: {
    description: `Ends the session of the user, for all clients (OpenID Connect RP-Initiated Logout). Without an ID token of the session,
the user is asked first, so that no other site can sign them out.`,
    parameters: logoutFields,
  },
  logoutForClientByForm: {
    description:
      'Redirects to `logout_for_client` with the same parameters, so that browsers send the session cookie.',
    parameters: {},
    request: [{ summary: 'A logout', value: exampleOf(LogoutRequest) }],
  },
  confirmLogoutForClient: {
    description:
      'Ends the session after the page of `logout_for_client` has asked. Only that page can send the form.',
    parameters: {},
    request: [{ summary: 'The form of the page', value: exampleOf(LogoutConfirmation) }],
  },
} satisfies Partial<OperationTexts<typeof oidc>>
