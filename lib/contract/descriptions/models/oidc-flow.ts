import {
  AuthorizationRequest,
  LogoutConfirmation,
  LogoutRequest,
  OAuthError,
  ProviderMetadata,
  TokenRequest,
  TokenResponse,
} from '../../models/oidc-flow.ts'
import { describeModel } from '../describe.ts'
import {
  authorizationFields,
  clientId,
  logoutFields,
  postLogoutRedirectUri,
  resource,
  state,
} from '../oidc-fields.ts'

const token = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl'

export const oidcFlowTexts = [
  describeModel(AuthorizationRequest, {
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
  }),
  describeModel(TokenRequest, {
    description:
      'The form by which a client gets tokens (RFC 6749 4.1.3 and 6). Each field may occur once. Other fields are ignored.',
    fields: {
      grant_type: { description: '`authorization_code` or `refresh_token`.', example: 'authorization_code' },
      code: 'The code of the authorization. It works once, for a minute.',
      redirect_uri: 'The same address as in the authorization.',
      code_verifier: 'The random text whose hash was the `code_challenge`.',
      refresh_token: 'The latest refresh token. It works once.',
      scope: 'For a refresh token: fewer scopes than before.',
      resource,
      client_id: clientId,
      client_secret:
        'The secret of a confidential client, which may be in the `Authorization` header instead.',
    },
    example: {
      grant_type: 'authorization_code',
      code: 'POjAtBvUmLLxgca0bcOH2Nzd9pbEH9YAWTHyVj2nY_f',
      redirect_uri: 'https://app.example.com/callback',
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      client_id: '7-4f1c2ab09d3e5f60718293a4',
    },
  }),
  describeModel(TokenResponse, {
    description: 'Tokens of a user for a client (RFC 6749 5.1).',
    fields: {
      access_token: 'A JWT for the server in `aud` (RFC 9068).',
      token_type: 'How to send it: as a bearer token.',
      expires_in: 'Seconds until the access token expires.',
      id_token: 'A JWT for the client about the user and their sign-in.',
      refresh_token: 'For new tokens later. Each use gives a new one.',
      scope: 'The scopes of the access token.',
    },
    example: {
      access_token: token,
      token_type: 'Bearer',
      expires_in: 600,
      id_token: token,
      scope: 'openid profile',
    },
  }),
  describeModel(OAuthError, {
    description: 'An error of an endpoint of OAuth (RFC 6749 5.2).',
    fields: {
      error: { description: 'The code of the error.', example: 'invalid_grant' },
      error_description: 'What is wrong, for developers.',
      scope: 'The scopes that the error is about.',
    },
    example: { error: 'invalid_grant', error_description: 'grant request is invalid' },
  }),
  describeModel(LogoutRequest, {
    description:
      'The parameters of a logout by a client (OpenID Connect RP-Initiated Logout 2). Each may occur once. Other parameters are ignored.',
    fields: logoutFields,
    example: {
      id_token_hint: token,
      post_logout_redirect_uri: 'https://app.example.com/signed-out',
    },
  }),
  describeModel(LogoutConfirmation, {
    description: 'The form of the page that asks whether to sign out.',
    fields: { client_id: clientId, post_logout_redirect_uri: postLogoutRedirectUri, state },
    example: { client_id: '7-4f1c2ab09d3e5f60718293a4' },
  }),
  describeModel(ProviderMetadata, {
    description:
      'The endpoints and abilities of the provider (OpenID Connect Discovery 3, RFC 8414 2). It has more fields than these.',
    fields: {
      issuer: { description: 'The address of this service.', example: 'https://auth.example.com' },
      jwks_uri: {
        description: 'Where the public keys are.',
        example: 'https://auth.example.com/.well-known/jwks.json',
      },
      authorization_endpoint: {
        description: 'Where clients send browsers to sign in.',
        example: 'https://auth.example.com/oauth2/authorize',
      },
      token_endpoint: {
        description: 'Where clients get tokens.',
        example: 'https://auth.example.com/oauth2/token',
      },
    },
    example: {
      issuer: 'https://auth.example.com',
      jwks_uri: 'https://auth.example.com/.well-known/jwks.json',
      authorization_endpoint: 'https://auth.example.com/oauth2/authorize',
      token_endpoint: 'https://auth.example.com/oauth2/token',
    },
  }),
]
