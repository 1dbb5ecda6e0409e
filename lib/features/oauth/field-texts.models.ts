/* Texts of parameters that are both fields of a form and parameters of a query. */

export const clientId = {
  description: 'The `client_id` of the client.',
  example: '7-4f1c2ab09d3e5f60718293a4',
}
const redirectUri = {
  description: 'An address that the client registered. It is compared as it is.',
  example: 'https://app.example.com/callback',
}
const scope = {
  description:
    'Scopes separated by spaces: those of OpenID Connect, and of one API. `openid` is required for an ID token, `offline_access` for a refresh token.',
  example: 'openid profile email',
}
export const resource =
  'The server that the access token is for (RFC 8707): the audience of one of the APIs of the client. Without it, and without a scope of an API, the access token only opens userinfo.'
const unsupported = 'Not supported. An authorization with it is refused.'

export const clientAssertionFields = {
  client_assertion: {
    description:
      'A JWT that the client signed with one of its keys (RFC 7523), instead of a secret. Its `iss` and `sub` are the `client_id`, and its `aud` is the address of this service. It ends within five minutes, and each `jti` counts once.',
    example: 'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiI3LTRmMWMyYWIwIn0.c2lnbmF0dXJl',
  },
  client_assertion_type: {
    description: 'The kind of the assertion.',
    example: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  },
}

export const userCode = {
  description: 'The code that the device shows. Case, spaces and dashes do not count.',
  example: 'WDJB-MJHT',
}

/** The parameters of an authorization. Those of the form are the same. */
export const authorizationFields = {
  client_id: clientId,
  redirect_uri: redirectUri,
  response_type: { description: 'Only `code` is supported.', example: 'code' },
  scope,
  state: { description: 'A random text, which comes back with the code.', example: 'b1946ac92492d234' },
  nonce: { description: 'A random text, which the ID token contains.', example: '7c6a180b36896a0a' },
  code_challenge: {
    description: 'The SHA-256 of a random text in base64url (RFC 7636 4.2). Required for all clients.',
    example: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  },
  code_challenge_method: { description: 'Only `S256` is supported.', example: 'S256' },
  response_mode: '`query`, which is the default, or `form_post`.',
  dpop_jkt:
    'The thumbprint of the key that the tokens will be bound to (RFC 9449 10). The code then only works with that key.',
  resource,
  prompt:
    '`none`: answer without a page. `login`: the user signs in again. `select_account`: the user may choose another account. `consent` is accepted and has no page.',
  max_age: 'How many seconds ago the user may have signed in at most. Otherwise they sign in again.',
  acr_values:
    'Classes of a sign-in that are strong enough, separated by spaces. If the present one is weaker than all of them, the user signs in again. Unknown classes are ignored.',
  claims:
    'An essential `acr` of the ID token counts as `acr_values`. Nothing else of it has an effect (OpenID Connect Core 5.5).',
  login_hint:
    'The username or email address that the sign-in page begins with. If its domain leads to an identity provider, the browser goes there.',
  domain_hint: {
    description:
      'An email domain. If it leads to an identity provider, the browser goes there. Otherwise it changes nothing.',
    example: 'example.com',
  },
  connection: {
    description:
      'The ID of a company connection. The browser goes there instead of to the form. An unknown one changes nothing.',
    example: '2',
  },
  organization: {
    description:
      'The ID or the slug of the organization that the tokens are for. A user who is no member gets `access_denied`. With the scope `organization` and without this parameter, a user of several chooses on a page.',
    example: 'acme',
  },
  organization_id: { description: 'The same as `organization`, for other libraries.', example: 'acme' },
  id_token_hint: 'An ID token of the user who is expected. Another user has to sign in.',
  ui_locales: 'Languages for the sign-in page, separated by spaces.',
  request: unsupported,
  request_uri:
    'What `push_authorization_request` returned. Then only `client_id` is needed, and no other parameter counts. Any other address is refused.',
  registration: unsupported,
}

export const state = 'A text that comes back with the redirect.'
export const postLogoutRedirectUri =
  'Where the browser goes afterwards: an address that the client registered. The default is the sign-in page.'

/** The parameters of a logout. Those of the form are the same. */
export const logoutFields = {
  id_token_hint: 'An ID token of the session. Without it, the user is asked whether to sign out.',
  client_id: 'The `client_id` of the client, if there is no ID token.',
  post_logout_redirect_uri: postLogoutRedirectUri,
  state,
  ui_locales: 'Languages for the page that asks whether to sign out, separated by spaces.',
  logout_hint: 'Accepted and ignored.',
}
