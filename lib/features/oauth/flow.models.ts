import * as z from 'zod/mini'
import { describeModel } from '../../kernel/contract/describe.ts'
import { exampleDecisionName, shownDescription } from '../../kernel/contract/descriptions/decision-name.ts'
import { anyText, decisionName, integer, nonEmptyText } from '../../kernel/contract/fields.ts'
import { field, model, openModel } from '../../kernel/contract/model.ts'
import {
  authorizationFields,
  clientAssertionFields,
  clientId,
  logoutFields,
  postLogoutRedirectUri,
  resource,
  state,
} from './field-texts.models.ts'

// Messages of OAuth and OpenID Connect. Servers ignore parameters that they do not know (RFC 6749 3.1).

const optionalText = z.optional(anyText)

/** The parameters of an authorization (OpenID Connect Core 3.1.2.1). Which of them are required is up to the protocol. */
export const AuthorizationRequest = z.object({
  client_id: optionalText,
  redirect_uri: optionalText,
  response_type: optionalText,
  scope: optionalText,
  state: optionalText,
  nonce: optionalText,
  code_challenge: optionalText,
  code_challenge_method: optionalText,
  response_mode: optionalText,
  dpop_jkt: optionalText,
  resource: optionalText,
  prompt: optionalText,
  max_age: optionalText,
  acr_values: optionalText,
  claims: optionalText,
  login_hint: optionalText,
  domain_hint: optionalText,
  connection: optionalText,
  organization: optionalText,
  organization_id: optionalText,
  id_token_hint: optionalText,
  ui_locales: optionalText,
  request_uri: optionalText,
  // These are not supported. They are read so that the answer says so.
  request: optionalText,
  registration: optionalText,
})
export type AuthorizationRequest = z.output<typeof AuthorizationRequest>

if (docs)
  describeModel(AuthorizationRequest, () => ({
    description:
      'The parameters of an authorization (OpenID Connect Core 3.1.2.1). Each may occur once. Other parameters are ignored.',
    fields: authorizationFields,
    example: {
      client_id: '7-4f1c2ab09d3e5f60718293a4',
      redirect_uri: 'https://app.example.com/callback',
      response_type: 'code',
      scope: 'openid profile',
      state: 'b1946ac92492d234',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    },
  }))

/** The form of the page that asks a user for their agreement to an authorization. */
export const ConsentAnswer = openModel(
  {
    answer: field(
      z.enum(['continue', 'cancel']),
      docs && '`continue`: the client gets what it asked for. `cancel`: it gets nothing.',
    ),
    organization: field(
      z.optional(anyText),
      docs && {
        description: 'The ID of the organization that the user chose, on the page that asks for one.',
        example: '12',
      },
    ),
    shown: field(decisionName, docs && shownDescription),
  },
  docs && {
    description: 'The form of the page that asks a user for their agreement to an authorization.',
    example: { answer: 'continue' as const, shown: exampleDecisionName },
  },
)
export type ConsentAnswer = z.output<typeof ConsentAnswer>

/** RFC 6749 4.1.3 and 6. */
export const TokenRequest = z.object({
  grant_type: optionalText,
  code: optionalText,
  redirect_uri: optionalText,
  code_verifier: optionalText,
  refresh_token: optionalText,
  device_code: optionalText,
  scope: optionalText,
  resource: optionalText,
  organization: optionalText,
  organization_id: optionalText,
  client_id: optionalText,
  client_secret: optionalText,
  client_assertion: optionalText,
  client_assertion_type: optionalText,
})
export type TokenRequest = z.output<typeof TokenRequest>

if (docs)
  describeModel(TokenRequest, () => ({
    description:
      'The form by which a client gets tokens (RFC 6749 4.1.3 and 6). Each field may occur once. Other fields are ignored.',
    fields: {
      grant_type: {
        description:
          '`authorization_code`, `refresh_token`, `client_credentials`, or `urn:ietf:params:oauth:grant-type:device_code`.',
        example: 'authorization_code',
      },
      code: 'The code of the authorization. It works once, for a minute.',
      redirect_uri: 'The same address as in the authorization.',
      code_verifier: 'The random text whose hash was the `code_challenge`.',
      refresh_token: 'The latest refresh token. It works once.',
      device_code: 'The code that a device got to wait for its user. It works once.',
      scope: 'For a refresh token: fewer scopes than before.',
      resource,
      organization: {
        description:
          'For a refresh token: the ID or the slug of another organization of the user. The tokens are for it, and the refresh token goes on for its own. A user who is no member gets `access_denied`. For `client_credentials`: the organization that the client acts in.',
        example: 'acme',
      },
      organization_id: authorizationFields.organization_id,
      client_id: clientId,
      client_secret:
        'The secret of a confidential client, which may be in the `Authorization` header instead.',
      ...clientAssertionFields,
    },
    example: {
      grant_type: 'authorization_code',
      code: 'POjAtBvUmLLxgca0bcOH2Nzd9pbEH9YAWTHyVj2nY_f',
      redirect_uri: 'https://app.example.com/callback',
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      client_id: '7-4f1c2ab09d3e5f60718293a4',
    },
  }))

const exampleToken = docs && 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl'

/** RFC 6749 5.1 and OpenID Connect Core 3.1.3.3. */
export const TokenResponse = model(
  {
    access_token: field(nonEmptyText, docs && 'A JWT for the server in `aud` (RFC 9068).'),
    token_type: field(
      z.enum(['Bearer', 'DPoP']),
      docs && 'How to send it: as a bearer token, or with a proof of its key (RFC 9449).',
    ),
    expires_in: field(integer, docs && 'Seconds until the access token expires.'),
    id_token: field(
      z.optional(nonEmptyText),
      docs && 'A JWT for the client about the user and their sign-in.',
    ),
    refresh_token: field(z.optional(nonEmptyText), docs && 'For new tokens later. Each use gives a new one.'),
    scope: field(z.optional(anyText), docs && 'The scopes of the access token.'),
    former_refresh_token: field(
      z.optional(nonEmptyText),
      docs &&
        'After a public client asked for another organization: the refresh token of the organization before, in place of the one that the client sent.',
    ),
  },
  docs && {
    description: 'Tokens of a user for a client (RFC 6749 5.1).',
    example: {
      access_token: exampleToken,
      token_type: 'Bearer' as const,
      expires_in: 600,
      id_token: exampleToken,
      scope: 'openid profile',
    },
  },
)
export type TokenResponse = z.output<typeof TokenResponse>

/** RFC 6749 5.2. */
export const OAuthError = model(
  {
    error: field(nonEmptyText, docs && { description: 'The code of the error.', example: 'invalid_grant' }),
    error_description: field(z.optional(nonEmptyText), docs && 'What is wrong, for developers.'),
    scope: field(z.optional(anyText), docs && 'The scopes that the error is about.'),
  },
  docs && {
    description: 'An error of an endpoint of OAuth (RFC 6749 5.2).',
    example: { error: 'invalid_grant', error_description: 'grant request is invalid' },
  },
)
export type OAuthError = z.output<typeof OAuthError>

/** OpenID Connect RP-Initiated Logout 2. */
export const LogoutRequest = z.object({
  id_token_hint: optionalText,
  client_id: optionalText,
  post_logout_redirect_uri: optionalText,
  state: optionalText,
  ui_locales: optionalText,
  logout_hint: optionalText,
})
export type LogoutRequest = z.output<typeof LogoutRequest>

if (docs)
  describeModel(LogoutRequest, () => ({
    description:
      'The parameters of a logout by a client (OpenID Connect RP-Initiated Logout 2). Each may occur once. Other parameters are ignored.',
    fields: logoutFields,
    example: {
      id_token_hint: exampleToken,
      post_logout_redirect_uri: 'https://app.example.com/signed-out',
    },
  }))

/** The answers of the page that asks whether to sign out. */
export const LogoutConfirmation = openModel(
  {
    client_id: field(optionalText, docs && clientId),
    post_logout_redirect_uri: field(optionalText, docs && postLogoutRedirectUri),
    state: field(optionalText, docs && state),
    ui_locales: field(optionalText, docs && logoutFields.ui_locales),
    shown: field(decisionName, docs && shownDescription),
  },
  docs && {
    description: 'The form of the page that asks whether to sign out.',
    example: { client_id: '7-4f1c2ab09d3e5f60718293a4', shown: exampleDecisionName },
  },
)
export type LogoutConfirmation = z.output<typeof LogoutConfirmation>
