import { exampleIds } from '../../accounts/example-values.models.ts'
import { adminBySession, anyone, withScope } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { jwtLifetimeMs, keySetMaxAgeMs, oauthPushedRequestMs } from '../../kernel/limits/limits.ts'
import { describeDuration } from '../../kernel/util/time.ts'
import { OIDCSignInTrial, OIDCSignInTrialRequest } from './clients.models.ts'
import { deviceSignIn } from './devices.operations.ts'
import { OAuthError } from './flow.models.ts'
import { CreateJWTRequest, JSONWebKeySet, JWT } from './jwt.models.ts'
import { providerEndpoints } from './provider.operations.ts'
import { PushedAuthorization, PushedAuthorizationRequest } from './pushed-requests.models.ts'
import {
  Introspection,
  OAuthTokenRequest,
  RevocationResult,
  Userinfo,
  UserinfoRequest,
} from './tokens.models.ts'

export const oidc = {
  tryOidcClientSignIn: defineOperation({
    id: 'try_oidc_client_sign_in',
    group: 'oidc',
    tag: 'oidc-clients',
    method: 'POST',
    path: '/api/2/oidc-clients/{id}/sign-in-trials',
    access: adminBySession,
    summary: 'Try what an OpenID Connect client gets when you sign in to it',
    body: OIDCSignInTrialRequest,
    responses: { 200: docs && OIDCSignInTrial },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['oidc_client.authorized', 'hook.failed'],
    limits: ['authorizationStarts', 'knownBrowserUses', 'authorizationsPerSession'],
    text:
      docs &&
      describe(() => ({
        description: `Signs you in to the client as its product would: an authorization with all scopes of the client, and the exchange of its code for tokens,
with every check of both. The answer has the claims of the tokens, or the error that the product would get. The code and the tokens never
leave the service, and end at once. It works for your own account alone. Afterwards the client is in the list of your account, as after any sign-in.

Trials use the first redirect URI of the client, and PKCE. They need no secret, no pushed request and no key for DPoP.`,
        parameters: { id: { description: 'The ID of the client.', example: exampleIds.client } },
        request: [
          { summary: 'With an access token for an API', value: exampleOf(OIDCSignInTrialRequest) },
          { summary: 'With an access token for userinfo', value: {} },
        ],
        responses: { 200: [{ summary: 'What the product would get', value: exampleOf(OIDCSignInTrial) }] },
      })),
  }),
  getJwks: defineOperation({
    id: 'get_jwks',
    group: 'oidc',
    method: 'GET',
    path: '/.well-known/jwks.json',
    access: anyone,
    summary: 'Get the public keys that verify JWTs of this service',
    // 304 if `If-None-Match` names the current keys.
    responses: { 200: docs && JSONWebKeySet, 304: null },
    // Libraries send various Accept headers, but all of them read this document.
    ignoresAccept: true,
    readableFrom: 'every_origin',
    text:
      docs &&
      describe(() => ({
        description: `Returns the public keys as a JWK Set (RFC 7517 5). Give its URL to your JWT library: it fetches the keys, keeps them, and
fetches them again when a JWT names an unknown key.

A new key is published at least a day before it signs, and stays until all of its JWTs have expired. Clients may keep the
response for ${describeDuration(keySetMaxAgeMs)}. It has an \`ETag\`, and answers \`If-None-Match\` with 304.`,
        parameters: {},
        responses: { 200: [{ summary: 'The present and the next key', value: exampleOf(JSONWebKeySet) }] },
      })),
  }),
  createJwt: defineOperation({
    id: 'create_jwt',
    group: 'oidc',
    method: 'POST',
    path: '/api/2/auth/jwt',
    access: withScope('jwts:create'),
    summary: 'Create a short-lived JWT that identifies the caller to other servers',
    body: CreateJWTRequest,
    isBodyOptional: true,
    responses: { 200: docs && JWT },
    errors: ['not_authenticated', 'conflict'],
    text:
      docs &&
      describe(() => ({
        description: `Returns a JWT (RFC 9068) that states who the caller is: the user, their groups and effective permissions, how and when they
signed in, and the administrator if one impersonates them. Other servers verify it without a request to this service.

It is valid for ${describeDuration(jwtLifetimeMs)}, and never longer than the session or API token that created it. After that, ask for a new one. A
JWT cannot be revoked. Once the session has ended or the user is disabled, there is no new JWT, but an earlier one remains
valid until it expires. For changes that cannot wait, ask \`get_current_user\` instead.

\`audience\` must be on the list of the operator. The JWT of an API token with scopes has no groups, and only the
permissions of the scopes. The JWT of a session that an access link opened has neither, and names the link in \`access_link\`.
Its audience begins with \`urn:latchkey:guests:\`, so that servers refuse guests unless they accept this audience as well.`,
        parameters: {},
        request: [
          { summary: 'A JWT for one server', value: { audience: 'https://shop.example.com' } },
          { summary: 'A JWT for this service as the audience', value: {} },
        ],
        responses: { 200: [{ summary: 'A JWT', value: exampleOf(JWT) }] },
      })),
  }),
  ...providerEndpoints,
  pushAuthorizationRequest: defineOperation({
    id: 'push_authorization_request',
    group: 'oidc',
    method: 'POST',
    path: '/oauth2/par',
    access: anyone,
    summary: 'Send the parameters of an authorization ahead of its browser',
    body: PushedAuthorizationRequest,
    bodyType: 'form',
    responses: { 201: docs && PushedAuthorization, 400: docs && OAuthError, 401: docs && OAuthError },
    errors: ['too_many_requests'],
    errorFormat: 'oauth',
    ignoresAccept: true,
    readableFrom: 'origins_of_client',
    audit: ['oidc_client.changed'],
    limits: [
      'lookUpFailures',
      'authorizationStarts',
      'knownBrowserUses',
      'clientDocuments',
      'clientDocumentsPerRequester',
      'clientDocumentRenewals',
    ],
    text:
      docs &&
      describe(() => ({
        description: `Takes the parameters of an authorization from the client itself (RFC 9126). So no program on the way can read or change
them. They are checked as at \`start_authorization\`, but an error comes back at once. The client authenticates as at
\`issue_tokens\`.

Then send the browser to \`start_authorization\` with \`client_id\` and \`request_uri\` alone. That works once, within ${describeDuration(oauthPushedRequestMs)}.
A client with \`requires_par\` starts every authorization in this way.`,
        parameters: {},
        request: [{ summary: 'A public client', value: exampleOf(PushedAuthorizationRequest) }],
        responses: {
          201: [{ summary: 'The parameters were accepted', value: exampleOf(PushedAuthorization) }],
        },
      })),
  }),
  ...deviceSignIn,
  getUserinfo: defineOperation({
    id: 'get_userinfo',
    group: 'oidc',
    method: 'GET',
    path: '/oauth2/userinfo',
    // The access token is a JWT, which is no credential of this API.
    access: anyone,
    summary: 'Get the claims about the user of an access token',
    responses: { 200: docs && Userinfo, 401: docs && OAuthError, 403: docs && OAuthError },
    errorFormat: 'oauth',
    ignoresAccept: true,
    readableFrom: 'origins_of_client',
    text:
      docs &&
      describe(() => ({
        description: `Returns the claims about the user that the scopes of the access token allow (OpenID Connect Core 5.3), as they are now. Send
the access token as \`Authorization: Bearer …\`. It needs the scope \`openid\`, and must be for userinfo: ask for it without \`resource\`.
A token for an API gets 401.

An access token whose session, user, client or grant has ended gets 401 at once. No other credential works here.`,
        parameters: {},
        responses: { 200: [{ summary: 'Claims of all scopes', value: exampleOf(Userinfo) }] },
      })),
  }),
  getUserinfoByForm: defineOperation({
    id: 'get_userinfo_by_form',
    group: 'oidc',
    method: 'POST',
    path: '/oauth2/userinfo',
    access: anyone,
    summary: 'Get the claims about the user of an access token by POST',
    body: UserinfoRequest,
    isBodyOptional: true,
    bodyType: 'form',
    responses: {
      200: docs && Userinfo,
      400: docs && OAuthError,
      401: docs && OAuthError,
      403: docs && OAuthError,
    },
    errorFormat: 'oauth',
    ignoresAccept: true,
    readableFrom: 'origins_of_client',
    text:
      docs &&
      describe(() => ({
        description: `The same as \`get_userinfo\`. The form can contain the access token in \`access_token\`, instead of the header.`,
        parameters: {},
        request: [{ summary: 'The access token in the form', value: exampleOf(UserinfoRequest) }],
        responses: { 200: [{ summary: 'Claims of all scopes', value: exampleOf(Userinfo) }] },
      })),
  }),
  introspectToken: defineOperation({
    id: 'introspect_token',
    group: 'oidc',
    method: 'POST',
    path: '/oauth2/introspect',
    // Clients authenticate in the way of OAuth.
    access: anyone,
    summary: 'Find out whether a token still works',
    body: OAuthTokenRequest,
    bodyType: 'form',
    responses: { 200: docs && Introspection, 401: docs && OAuthError },
    errors: ['too_many_requests'],
    errorFormat: 'oauth',
    ignoresAccept: true,
    audit: ['oidc_client.changed'],
    limits: ['lookUpFailures', 'clientDocumentRenewals'],
    text:
      docs &&
      describe(() => ({
        description: `Returns whether a token still works (RFC 7662). A server that only verifies the JWT does not know that a session, user,
client or sign-in has ended, or that the token was revoked. This operation knows it at once. Groups and permissions are
those of the token that the user still has, and that the client may still ask for.

The client authenticates with its secret: by HTTP Basic, or with \`client_id\` and \`client_secret\` in the form. Public
clients get 401. A client learns about its own tokens, and about access tokens for its \`apis\`, also of \`create_jwt\`, and of guests.
Every other token is \`"active": false\`.`,
        parameters: {},
        request: [{ summary: 'An access token', value: exampleOf(OAuthTokenRequest) }],
        responses: {
          200: [
            { summary: 'A token that works', value: exampleOf(Introspection) },
            { summary: 'A token that does not work', value: { active: false } },
          ],
        },
      })),
  }),
  revokeToken: defineOperation({
    id: 'revoke_token',
    group: 'oidc',
    method: 'POST',
    path: '/oauth2/revoke',
    access: anyone,
    summary: 'Revoke a token of the client',
    body: OAuthTokenRequest,
    bodyType: 'form',
    // The body has no meaning (RFC 7009 2.2).
    responses: { 200: docs && RevocationResult, 400: docs && OAuthError, 401: docs && OAuthError },
    errors: ['too_many_requests'],
    errorFormat: 'oauth',
    ignoresAccept: true,
    readableFrom: 'every_origin',
    audit: ['oidc_client.changed'],
    limits: ['lookUpFailures', 'clientDocumentRenewals'],
    text:
      docs &&
      describe(() => ({
        description: `Revokes a token of the client (RFC 7009). A refresh token ends together with all tokens of the same sign-in. An access token
ends alone: introspection and userinfo refuse it at once. Servers that only verify it accept it until it expires.

Unknown and expired tokens are a success. A token of another client is not revoked, and the response is 400. Public clients
send only their \`client_id\`.`,
        parameters: {},
        request: [{ summary: 'A token', value: exampleOf(OAuthTokenRequest) }],
        responses: { 200: [{ summary: 'The token does not work any more', value: {} }] },
      })),
  }),
}
