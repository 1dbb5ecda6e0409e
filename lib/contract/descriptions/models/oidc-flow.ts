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
    description: 'The endpoints and abilities of the provider (OpenID Connect Discovery 3, RFC 8414 2).',
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
      userinfo_endpoint: {
        description: 'Where clients read the claims of a user.',
        example: 'https://auth.example.com/oauth2/userinfo',
      },
      introspection_endpoint: {
        description: 'Where servers ask whether a token is valid.',
        example: 'https://auth.example.com/oauth2/introspect',
      },
      revocation_endpoint: {
        description: 'Where clients end tokens.',
        example: 'https://auth.example.com/oauth2/revoke',
      },
      end_session_endpoint: {
        description: 'Where clients send browsers to sign out.',
        example: 'https://auth.example.com/oauth2/logout',
      },
      response_types_supported: 'The values of `response_type`.',
      response_modes_supported: 'The values of `response_mode`.',
      grant_types_supported: 'The values of `grant_type`.',
      code_challenge_methods_supported: 'The values of `code_challenge_method`.',
      token_endpoint_auth_methods_supported: 'How clients prove who they are.',
      scopes_supported: 'The scopes that clients can ask for.',
      claims_supported: 'The claims of ID tokens and user info.',
      claim_types_supported: 'How claims are sent.',
      acr_values_supported: 'The values of the claim `acr`.',
      prompt_values_supported: 'The values of `prompt`.',
      subject_types_supported: 'Whether all clients see the same `sub`.',
      id_token_signing_alg_values_supported: 'The algorithms that sign ID tokens.',
      authorization_response_iss_parameter_supported:
        'Whether authorizations are answered with `iss` (RFC 9207).',
      claims_parameter_supported: 'Whether the parameter `claims` has an effect.',
      request_uri_parameter_supported: 'Whether the parameter `request_uri` is accepted.',
      backchannel_logout_supported: 'Whether clients are informed of ended sessions.',
      backchannel_logout_session_supported: 'Whether that message contains `sid`.',
    },
    example: {
      issuer: 'https://auth.example.com',
      jwks_uri: 'https://auth.example.com/.well-known/jwks.json',
      authorization_endpoint: 'https://auth.example.com/oauth2/authorize',
      token_endpoint: 'https://auth.example.com/oauth2/token',
      userinfo_endpoint: 'https://auth.example.com/oauth2/userinfo',
      introspection_endpoint: 'https://auth.example.com/oauth2/introspect',
      revocation_endpoint: 'https://auth.example.com/oauth2/revoke',
      end_session_endpoint: 'https://auth.example.com/oauth2/logout',
      response_types_supported: ['code'],
      response_modes_supported: ['query', 'form_post'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      scopes_supported: ['openid', 'profile', 'email', 'groups', 'permissions', 'offline_access'],
      claims_supported: ['sub', 'sid', 'amr', 'acr', 'auth_time', 'name', 'preferred_username', 'email'],
      claim_types_supported: ['normal'],
      acr_values_supported: ['urn:latchkey:acr:single-factor', 'urn:latchkey:acr:multi-factor'],
      prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      authorization_response_iss_parameter_supported: true,
      claims_parameter_supported: false,
      request_uri_parameter_supported: false,
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
    },
  }),
]
