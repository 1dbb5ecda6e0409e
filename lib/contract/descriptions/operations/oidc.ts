import { jwtLifetimeMs, keySetMaxAgeMs } from '../../../limits/limits.ts'
import { describeDuration } from '../../../util/describe-duration.ts'
import { JSONWebKeySet, JWT } from '../../models/jwt.ts'
import { Introspection, OAuthTokenRequest, Userinfo, UserinfoRequest } from '../../models/oidc-tokens.ts'
import type { oidc } from '../../operations/oidc.ts'
import type { OperationTexts } from '../describe.ts'
import { exampleOf } from '../example-of.ts'
import { oidcProviderTexts } from './oidc-provider.ts'

export const oidcTexts: OperationTexts<typeof oidc> = {
  getJwks: {
    description: `Returns the public keys as a JWK Set (RFC 7517 5). Give its URL to your JWT library: it fetches the keys, keeps them, and
fetches them again when a JWT names an unknown key.

A new key is published at least a day before it signs, and stays until all of its JWTs have expired. Clients may keep the
response for ${describeDuration(keySetMaxAgeMs)}. It has an \`ETag\`, and answers \`If-None-Match\` with 304.`,
    parameters: {},
    responses: { 200: [{ summary: 'The present and the next key', value: exampleOf(JSONWebKeySet) }] },
  },
  createJwt: {
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
  },
  ...oidcProviderTexts,
  getUserinfo: {
    description: `Returns the claims about the user that the scopes of the access token allow (OpenID Connect Core 5.3), as they are now. Send
the access token as \`Authorization: Bearer …\`. It needs the scope \`openid\`, and must be for userinfo: ask for it without \`resource\`.
A token for an API gets 401.

An access token whose session, user, client or grant has ended gets 401 at once. No other credential works here.`,
    parameters: {},
    responses: { 200: [{ summary: 'Claims of all scopes', value: exampleOf(Userinfo) }] },
  },
  getUserinfoByForm: {
    description: `The same as \`get_userinfo\`. The form can contain the access token in \`access_token\`, instead of the header.`,
    parameters: {},
    request: [{ summary: 'The access token in the form', value: exampleOf(UserinfoRequest) }],
    responses: { 200: [{ summary: 'Claims of all scopes', value: exampleOf(Userinfo) }] },
  },
  introspectToken: {
    description: `Returns whether a token still works (RFC 7662). A server that only verifies the JWT does not know that a session, user,
client or sign-in has ended, or that the token was revoked. This operation knows it at once. Groups and permissions are
those of the token that the user still has, and that the client may still ask for.

The client authenticates with its secret: by HTTP Basic, or with \`client_id\` and \`client_secret\` in the form. Public
clients get 401. A client learns about its own tokens, and about access tokens for its \`audiences\`, also of \`create_jwt\`, and of guests.
Every other token is \`"active": false\`.`,
    parameters: {},
    request: [{ summary: 'An access token', value: exampleOf(OAuthTokenRequest) }],
    responses: {
      200: [
        { summary: 'A token that works', value: exampleOf(Introspection) },
        { summary: 'A token that does not work', value: { active: false } },
      ],
    },
  },
  revokeToken: {
    description: `Revokes a token of the client (RFC 7009). A refresh token ends together with all tokens of the same sign-in. An access token
ends alone: introspection and userinfo refuse it at once. Servers that only verify it accept it until it expires.

Unknown and expired tokens are a success. A token of another client is not revoked, and the response is 400. Public clients
send only their \`client_id\`.`,
    parameters: {},
    request: [{ summary: 'A token', value: exampleOf(OAuthTokenRequest) }],
    responses: { 200: [{ summary: 'The token does not work any more', value: {} }] },
  },
}
